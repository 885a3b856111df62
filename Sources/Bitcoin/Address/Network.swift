/// A Bitcoin network. The raw values are the names on the command line.
public enum Network: String, CaseIterable, Hashable, Sendable, CustomStringConvertible {
    /// The main network, whose coins are real money.
    case main
    /// The third public test network.
    case test
    /// The fourth public test network (BIP-94).
    case testnet4
    /// The test network whose blocks are signed (BIP-325).
    case signet
    /// A private test network.
    case regtest

    /// Which family of extended keys and WIF keys the network uses.
    public var keyNetwork: KeyNetwork { self == .main ? .main : .test }

    /// The human-readable part of witness addresses: `bc`, `tb` or `bcrt`.
    ///
    /// Spec: BIP-173, "Segwit address format".
    public var humanReadablePart: String {
        switch self {
        case .main: "bc"
        case .test, .testnet4, .signet: "tb"
        case .regtest: "bcrt"
        }
    }

    /// The version byte of P2PKH addresses.
    var p2pkhVersion: UInt8 { self == .main ? 0x00 : 0x6F }

    /// The version byte of P2SH addresses.
    var p2shVersion: UInt8 { self == .main ? 0x05 : 0xC4 }

    /// The name on the command line.
    public var description: String { rawValue }
}
