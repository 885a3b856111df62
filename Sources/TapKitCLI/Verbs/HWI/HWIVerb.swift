import ArgumentParser

/// `tapkit hwi`: HWI's own command line, so that Bitcoin Core, Sparrow, Specter and others can use the card.
struct HWIVerb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: HWIProgram.name, abstract: "HWI's command line, for Bitcoin Core and other wallets.",
        discussion: """
            Answers as HWI 3.2.0 does: one line of JSON on standard output, exit status 0 also for errors, 2 for a command \
            line that makes no sense. The same when tapkit is called by the name hwi (a link). For Bitcoin Core: \
            bitcoind -signer="tapkit hwi".

            Options of every command may stand before it. The CVC comes from -p, --stdinpass, --cvc-file or \
            TAPKIT_CVC_FILE; else somebody is asked, on the terminal or by pinentry.
            """,
        // Callers read a version number from it: nothing may stand behind.
        version: "\(HWIProgram.name) \(HWIProgram.version)",
        subcommands: [
            HWIEnumerate.self, HWIGetMasterXpub.self, HWISignTx.self, HWIGetXpub.self, HWISignMessage.self,
            HWIGetKeypool.self, HWIGetDescriptors.self, HWIDisplayAddress.self, HWISetup.self, HWIWipe.self,
            HWIRestore.self, HWIBackup.self, HWIPromptPin.self, HWITogglePassphrase.self, HWISendPin.self,
            HWIInstallUdevRules.self,
        ])
}
