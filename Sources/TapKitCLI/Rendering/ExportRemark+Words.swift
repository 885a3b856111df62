import TapManager

extension ExportRemark {
    /// For people.
    var words: String {
        switch self {
        case .notForCosigners(let path):
            "\(path) is not a cosigner's usual path, m/48h/0h/0h/2h: some coordinators refuse it. tapkit derive moves the card."
        case .cosignersPath(let path):
            "\(path) is a cosigner's path, and this tells wallets of this key alone: tapkit export cosigner is for a multisig wallet."
        case .unusualPath(let path, let taken):
            "\(path) is no account's usual path (BIP-44, 49, 84): keep this export, other wallets do not look there."
                + (taken == nil
                    ? "" : " It stands for no type of address; P2WPKH was taken, --address-type names another.")
        case .wholeChain:
            "Core will look through the whole chain for payments; --birthday YYYY-MM-DD (or now) shortens that."
        case .sinceBlock(let height):
            "Core will look for payments since before block \(height); --birthday names another day."
        }
    }
}
