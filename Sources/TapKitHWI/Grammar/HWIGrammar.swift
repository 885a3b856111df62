/// The grammar of one of HWI's commands: its options and operands, used for parsing and for help.
package struct HWIGrammar: Sendable {
    package let name: String
    /// What it does, in one sentence.
    package let abstract: String
    /// More about it; may be empty.
    package let discussion: String
    /// All are required, in this order.
    package let operands: [HWIOperand]
    /// The options that only this command has.
    package let options: [HWIOption]
    /// Groups of options of which at most one may be given.
    let exclusions: [[HWIOption]]
    /// Options of which one must be given.
    let requirement: [HWIOption]

    init(
        _ name: String, abstract: String, discussion: String = "", operands: [HWIOperand] = [],
        options: [HWIOption] = [], exclusions: [[HWIOption]] = [], requirement: [HWIOption] = []
    ) {
        (self.name, self.abstract, self.discussion) = (name, abstract, discussion)
        (self.operands, self.options) = (operands, options)
        (self.exclusions, self.requirement) = (exclusions, requirement)
    }

    /// HWI itself, with the options of every command.
    package static let hwi = HWIGrammar(
        "hwi", abstract: "HWI's command line, for Bitcoin Core and other wallets.",
        discussion: """
            Answers like HWI 3.2.0: one line of JSON on standard output, and exit status 0 even for errors, but 2 for \
            an invalid command line. A link to tapkit named hwi works the same way. For Bitcoin Core: bitcoind \
            -signer="tapkit hwi".

            Options that all commands take may come before the command. The CVC comes from -p, --stdinpass, --cvc-file or \
            TAPKIT_CVC_FILE; otherwise you are asked, on the terminal or by pinentry.
            """,
        options: HWIGlobals.options)

    /// The help option of every command.
    static let help = HWIOption("help", short: "h", help: "Show help information.")
    static let version = HWIOption("version", help: "Show the version.")
}

/// A command with its grammar, for help texts.
package protocol HWIDescribed: Sendable {
    /// The command's grammar.
    static var grammar: HWIGrammar { get }
}
