import ArgumentParser

/// `tapkit sim`: simulated cards, for trying things out and for tests. Never genuine.
struct SimVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sim", abstract: "Simulated cards, for trying things out; never genuine.",
        subcommands: [SimNewVerb.self, SimServeVerb.self, SimShowVerb.self])
}
