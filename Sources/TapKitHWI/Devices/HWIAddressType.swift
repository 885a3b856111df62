import Bitcoin

/// HWI's address types.
///
/// Spec: HWI 3.2.0, `AddressType`.
enum HWIAddressType: String, CaseIterable {
    case legacy
    case wit
    case shWit = "sh_wit"
    case tap

    /// The option of commands that need an address type.
    static func option(help: String) -> HWIOption {
        HWIOption("addr-type", value: .choice("addr-type", allCases.map(\.rawValue)), help: help)
    }

    /// The value of an option; `nil` if it was not given.
    init?(_ option: HWIOption, in values: HWIValues) {
        guard let text = values.text(option) else { return nil }
        self.init(rawValue: text)
    }

    /// The type of output.
    /// - Throws: `HWIError.unavailableAction` for Taproot: the card does not support Schnorr signatures.
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
    /// - Throws: `HWIError.badArgument` for a number out of range.
    ///
    /// Spec: BIP-44, BIP-49, BIP-84.
    func accountPath(_ account: Int, on network: Network) throws(HWIError) -> DerivationPath {
        guard let number = UInt32(exactly: account), let step = ChildNumber.hardened(number),
            let coin = ChildNumber.hardened(network.keyNetwork == .main ? 0 : 1)
        else {
            throw HWIError(
                .badArgument,
                "Account numbers go from 0 to 2147483647, so there is no account \(account).")
        }
        return DerivationPath([purpose, coin, step])
    }
}

/// The number of a standard account.
enum HWIAccount {
    static let option = HWIOption("account", value: .number("account"), help: "The account's number; default: 0.")

    /// The option's value, or the first account.
    static func number(in values: HWIValues) -> Int { values.number(option) ?? 0 }
}
