import ExplainedErrors

extension ExportError: ExplainedError {
    /// The format has no way to say what the wallet is.
    package var code: ErrorCode { .notExportable }

    /// Why the format does not fit.
    package var message: String { message(format: nil) }

    /// Why the format does not fit, with its name.
    /// - Parameter name: what it is called; `nil`: it is spoken of as “the format”.
    package func message(format name: String?) -> String {
        let format = name.map { "format \($0)" } ?? "format"
        return switch self {
        case .severalAccounts(let count): "The \(format) has one account, and the wallet \(count)."
        case .unusualDescriptor(let number):
            "The \(format) knows pkh, wpkh, sh(wpkh) and sortedmulti of extended keys with addresses at …/0/* and change at "
                + "…/1/*: descriptor \(number) is none of these."
        case .unsortedKeys(let number):
            "The keys of descriptor \(number) have an order of their own (multi), and programs that read the \(format) sort "
                + "them: they would show other addresses."
        case .oneBranch: "The \(format) has addresses and change, and the wallet only one of both."
        case .multisigOnly: "The \(format) is for wallets of several keys."
        case .cardsOnly: "The \(format) tells a card's key, and no wallet."
        case .cosignersPath(let path):
            "The card is at \(path), a cosigner's path, and has no wallet of its own there for the \(format)."
        case .noKind(let path): "The path \(path) stands for no type of address, which SLIP-132 keys name."
        case .noOrigin(let number):
            "Key \(number) does not say which master key and path it is of, which the \(format) needs."
        case .unusualPath(let path, _): "The \(format) has no place for a key at \(path)."
        case .tooManyKeys(let limit): "The \(format) has at most \(limit) keys."
        case .badText: "The \(format) takes a description of one line and at most 80 characters."
        }
    }

    /// What to do about it; empty when there is nothing to add.
    package var remedy: String {
        switch self {
        case .cosignersPath: "Tell its key to a multisig wallet, or name a type of address all the same."
        case .noKind: "Name one, or take the key as BIP-32 has it."
        case .noOrigin: "Add the wallet with descriptors that have it in front of each key: [fingerprint/path]."
        case .unusualPath(_, let usual): "Move the card to a usual path, such as \(usual), or use another format."
        case .badText: "Give another description."
        default: ""
        }
    }

    /// The path to be at, or what could be chosen otherwise.
    package var subject: ErrorSubject? {
        switch self {
        case .unusualPath(_, let usual): .path("\(usual)")
        case .badText: .choice(.exportDescription)
        case .cosignersPath, .noKind: .choice(.addressType)
        default: nil
        }
    }
}
