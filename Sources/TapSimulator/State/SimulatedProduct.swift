/// The product that a simulated card represents.
public enum SimulatedProduct: String, Codable, Sendable, CaseIterable {
    /// BIP-32 signer with a backup and a changeable CVC.
    case tapsigner
    /// Bearer card with slots that are used one after another.
    case satscard
    /// A TAPSIGNER without a backup.
    case satschip
}

/// The network whose addresses and key versions a simulated card uses; fixed in the factory.
public enum SimulatedNetwork: String, Codable, Sendable, CaseIterable {
    /// `bc1…`, `xpub`.
    case main
    /// `tb1…`, `tpub`; `status` has `testnet`.
    case test
}
