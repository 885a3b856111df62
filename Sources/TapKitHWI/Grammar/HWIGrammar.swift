/// What can be said to a command of HWI's: its options and operands, from which it is parsed and explained.
package struct HWIGrammar: Sendable {
    package let name: String
    /// What it does, in one sentence.
    package let abstract: String
    /// More about it; empty: there is no more to say.
    package let discussion: String
    /// All of which must be there, in this order.
    package let operands: [HWIOperand]
    /// Those that only this command has.
    package let options: [HWIOption]
    /// Options of which at most one may be given.
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

    /// HWI itself, with what can be said to every command.
    package static let hwi = HWIGrammar(
        "hwi", abstract: "HWI's command line, for Bitcoin Core and other wallets.",
        discussion: """
            Answers as HWI 3.2.0 does: one line of JSON on standard output, exit status 0 also for errors, 2 for a command \
            line that makes no sense. The same when tapkit is called by the name hwi (a link). For Bitcoin Core: \
            bitcoind -signer="tapkit hwi".

            Options of every command may stand before it. The CVC comes from -p, --stdinpass, --cvc-file or \
            TAPKIT_CVC_FILE; else somebody is asked, on the terminal or by pinentry.
            """,
        options: HWIGlobals.options)

    /// What every command explains itself by.
    static let help = HWIOption("help", short: "h", help: "Show help information.")
    static let version = HWIOption("version", help: "Show the version.")
}

/// A command as it can be explained; how it is carried out is nobody else's business.
package protocol HWIDescribed: Sendable {
    /// What can be said to it.
    static var grammar: HWIGrammar { get }
}
