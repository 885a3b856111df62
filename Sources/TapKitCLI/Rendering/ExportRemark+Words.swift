import Bitcoin
import TapManager

extension ExportRemark {
    /// For the user.
    var words: String {
        switch self {
        case .notForCosigners(let path):
            "\(path) is not the usual path for cosigners, \(MultisigAccount.usualPath(isTestnet: path.isOfTestnet)); some "
                + "coordinators refuse it. Move the card with tapkit derive."
        case .cosignersPath(let path):
            "\(path) is a path for cosigners, but this export is for a single-key wallet. For a multisig wallet use "
                + "tapkit export cosigner."
        case .unusualPath(let path, let taken):
            "\(path) is not a usual account path (BIP-44, 49, 84). Keep this export: other wallets do not look there."
                + (taken == nil
                    ? ""
                    : " It does not determine the type of address, so P2WPKH is used; --address-type selects another.")
        case .wholeChain:
            "Core will scan the whole chain for payments; --birthday YYYY-MM-DD (or now) shortens the scan."
        case .sinceBlock(let height):
            "Core will scan for payments from some time before block \(height); --birthday sets another day."
        }
    }
}

extension DerivationPath {
    /// Whether its coin type is that of the test networks (BIP-44).
    fileprivate var isOfTestnet: Bool { steps.dropFirst().first.map { $0.isHardened && $0.index == 1 } ?? false }
}
