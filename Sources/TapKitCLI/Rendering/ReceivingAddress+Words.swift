import TapManager

extension ReceivingAddress.Remark {
    /// For people.
    var words: String {
        switch self {
        case .mayBeUsed: "The address was used before, or stands before one that was."
        case .far(let distance):
            "The address is \(distance) behind the last paid one that wallets find by themselves: most do not look there "
                + "(tapkit wallet sync --gap-limit)."
        case .mayBeEmptied:
            "This server tells only what is unspent: the address may have been used and emptied."
        case .toldBefore(let server, let height, let time):
            "Whether it is still unused was asked \(WalletText.age(server: server, height: height, time: time))."
        case .neverAsked: "No chain server was asked: the address may have been used."
        }
    }
}
