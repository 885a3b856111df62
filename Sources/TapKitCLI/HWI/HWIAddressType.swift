import ArgumentParser
import Bitcoin

/// HWI's types of addresses.
///
/// Spec: HWI 3.2.0, `AddressType`.
enum HWIAddressType: String, CaseIterable, ExpressibleByArgument {
    case legacy
    case wit
    case shWit = "sh_wit"
    case tap

    init?(argument: String) { self.init(rawValue: argument.lowercased()) }

    /// The kind of output.
    /// - Throws: `HWIError.unavailableAction` for taproot: the card has no Schnorr signatures.
    func kind() throws(HWIError) -> ScriptKind {
        switch self {
        case .legacy: .p2pkh
        case .wit: .p2wpkh
        case .shWit: .p2shP2WPKH
        case .tap: throw HWIError(.unavailableAction, "Device does not support Taproot")
        }
    }
}

extension ScriptKind {
    /// Those that a card can sign for, in HWI's order.
    static let ofDevices: [ScriptKind] = [.p2pkh, .p2wpkh, .p2shP2WPKH]

    /// The path of a standard account.
    /// - Throws: `HWIError.badArgument` for a number that no step can have.
    ///
    /// Spec: BIP-44, BIP-49, BIP-84.
    func accountPath(_ account: Int, on network: Network) throws(HWIError) -> DerivationPath {
        guard let number = UInt32(exactly: account), let step = ChildNumber.hardened(number),
            let coin = ChildNumber.hardened(network.keyNetwork == .main ? 0 : 1)
        else { throw HWIError(.badArgument, "An account has a number from 0 to 2147483647, not \(account).") }
        return DerivationPath([purpose, coin, step])
    }
}
