import ArgumentParser

/// `tapkit sim`: simulated cards, for experiments and for tests. Never genuine.
struct SimVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sim", abstract: "Simulated cards, for experiments; never genuine.",
        subcommands: [SimNewVerb.self, SimServeVerb.self, SimShowVerb.self])
}
