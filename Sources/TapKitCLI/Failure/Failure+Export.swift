import Bitcoin
import TapManager

/// How it is told that a wallet does not fit a format.
extension Failure {
    init(_ error: ExportError, format: ExportFormat) {
        let message: String
        var hint = "tapkit export descriptors tells every wallet."
        switch error {
        case .severalAccounts(let count):
            message = "The format \(format.rawValue) has one account, and the wallet \(count)."
        case .unusualDescriptor(let number):
            message = """
                The format \(format.rawValue) knows pkh, wpkh, sh(wpkh) and sortedmulti of extended keys with addresses at \
                …/0/* and change at …/1/*: descriptor \(number) is none of these.
                """
        case .unsortedKeys(let number):
            message = """
                The keys of descriptor \(number) have an order of their own (multi), and programs that read the format \
                \(format.rawValue) sort them: they would show other addresses.
                """
        case .oneBranch:
            message = "The format \(format.rawValue) has addresses and change, and the wallet only one of both."
        case .multisigOnly:
            message = "The format \(format.rawValue) is for wallets of several keys."
        case .noOrigin(let number):
            message = """
                Key \(number) does not say which master key and path it is of, which the format \(format.rawValue) needs.
                """
            hint = "Add the wallet with descriptors that have it in front of each key: [fingerprint/path]."
        case .unusualPath(let path):
            message = "The format \(format.rawValue) has no place for a key at \(path)."
            hint = "tapkit derive m/84h/0h/0h moves the card to a usual path; tapkit export descriptors tells any."
        case .tooManyKeys(let limit):
            message = "The format \(format.rawValue) has at most \(limit) keys."
        case .badText:
            message = "The format \(format.rawValue) takes a description of one line and at most 80 characters."
            hint = "Use --label."
        }
        self.init(.notExportable, message, hint: hint)
    }
}
