import ArgumentParser

/// The command `tapkit`: every verb, in the order of `tapkit help`.
struct TapkitCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tapkit",
        abstract: "TAPSIGNER, SATSCARD and SATSCHIP cards as hardware signers on Linux.",
        discussion: "Put a card on the reader and type: tapkit status",
        version: Version.text,
        subcommands: [
            ReadersVerb.self, StatusVerb.self, VerifyVerb.self, SetupVerb.self, BackupVerb.self, ChangeCVCVerb.self,
            DeriveVerb.self, XpubVerb.self, ExportVerb.self, SignVerb.self, TxVerb.self, RecoverVerb.self,
            AddressVerb.self,
            SlotsVerb.self, UnsealVerb.self, SweepVerb.self, MessageVerb.self, URLVerb.self, WaitVerb.self,
            DoctorVerb.self,
            StoreVerb.self, ConfigVerb.self, WalletVerb.self, HWIVerb.self,
            SimVerb.self, DemoVerb.self, HelpVerb.self,
        ])

    /// The verbs' names.
    static var verbs: [String] { configuration.subcommands.map { $0._commandName } }

    /// Says which verb is unknown, before the parser stumbles over its options.
    static func requireVerb(_ arguments: [String]) throws(Failure) {
        guard let verb = arguments.first, !verb.hasPrefix("-"), !verbs.contains(verb) else { return }
        throw Failure(.usage, "There is no verb “\(verb)”.")
    }
}

/// The version that `tapkit --version` prints.
enum Version {
    static let text = "0.1.0"
    /// When that was, for the manual: `YYYY-MM-DD`.
    static let date = "2026-11-22"
}
