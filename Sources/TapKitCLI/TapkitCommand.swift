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
            DeriveVerb.self, XpubVerb.self, ExportVerb.self, SignVerb.self, URLVerb.self, WaitVerb.self,
            SimVerb.self, DemoVerb.self, HelpVerb.self,
        ])
}

/// The version that `tapkit --version` prints.
enum Version {
    static let text = "0.1.0"
}
