import TapManager

extension ReceivingAddress.Remark {
    /// For the user.
    var words: String {
        switch self {
        case .mayBeUsed: "This address, or a later one, was used before."
        case .far(let distance):
            "This address is \(distance) after the last used one that other wallets find by themselves. Most do not "
                + "look that far (tapkit wallet sync --gap-limit)."
        case .claimed(let distance):
            "Only the server says that the addresses before this one were used: it is \(distance) after the last one that "
                + "your own payments show. If that is wrong, a restored wallet may not look that far: ask another server, or "
                + "choose an earlier address with --index."
        case .mayBeEmptied:
            "This server reports only unspent coins: the address may have been used and emptied."
        case .toldBefore(let server, let height, let time):
            "The address was unused \(WalletText.age(server: server, height: height, time: time))."
        case .neverAsked: "No chain server was asked: the address may have been used before."
        }
    }
}
