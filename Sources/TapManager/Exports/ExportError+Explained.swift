import ExplainedErrors

extension ExportError: ExplainedError {
    /// The format cannot express the wallet.
    package var code: ErrorCode { .notExportable }

    /// Why the format is not suitable.
    package var message: String { message(format: nil) }

    /// Why the format is not suitable, with its name.
    /// - Parameter name: the format's name; `nil`: the message has “the format”.
    package func message(format name: String?) -> String {
        let format = name.map { "format \($0)" } ?? "format"
        return switch self {
        case .severalAccounts(let count): "The \(format) supports only one account, but the wallet has \(count)."
        case .unusualDescriptor(let number):
            "The \(format) supports only pkh, wpkh, sh(wpkh) and sortedmulti of extended keys with addresses at …/0/* "
                + "and change at …/1/*, not descriptor \(number)."
        case .unsortedKeys(let number):
            "The keys of descriptor \(number) have a fixed order (multi), but programs that read the \(format) sort "
                + "them, and would show other addresses."
        case .unusualPolicy:
            "The \(format) supports a policy only as wsh of extended keys that end in /<0;1>/* or the like."
        case .lianaRule(let rule): "Liana does not support this wallet: \(rule)."
        case .oneBranch: "The \(format) needs addresses and change, but the wallet has only one of them."
        case .multisigOnly: "The \(format) is for wallets of several keys."
        case .cardsOnly: "The \(format) is for a card's key, not for a wallet."
        case .cosignersPath(let path):
            "The card is at \(path), a cosigner's path, and has no wallet of its own there for the \(format)."
        case .noKind(let path): "SLIP-132 keys include a type of address, but the path \(path) implies none."
        case .noOrigin(let number):
            "Key \(number) has no origin (master key and path), which the \(format) needs."
        case .unusualPath(let path, _): "The \(format) does not support a key at \(path)."
        case .tooManyKeys(let limit): "The \(format) supports at most \(limit) keys."
        case .badText: "The \(format) needs a description of one line and at most 80 characters."
        }
    }

    /// What to do about it; empty when there is nothing to add.
    package var remedy: String {
        switch self {
        case .cosignersPath: "Use its key in a multisig wallet, or choose a type of address anyway."
        case .noKind: "Choose one, or use the key in its BIP-32 form."
        case .noOrigin: "Add the wallet with descriptors that have the origin before each key: [fingerprint/path]."
        case .unusualPath(_, let usual): "Move the card to a usual path, such as \(usual), or use another format."
        case .badText: "Choose another description."
        default: ""
        }
    }

    /// The path to use, or the choice to change.
    package var subject: ErrorSubject? {
        switch self {
        case .unusualPath(_, let usual): .path(usual)
        case .badText: .choice(.exportDescription)
        case .cosignersPath, .noKind: .choice(.addressType)
        default: nil
        }
    }
}
