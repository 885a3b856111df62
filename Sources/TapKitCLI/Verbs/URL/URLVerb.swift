import ArgumentParser

/// `tapkit url`: tap links.
struct URLVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "url", abstract: "The card's tap link, as a telephone would see it; verify links offline.",
        subcommands: [URLShowVerb.self, URLVerifyVerb.self], defaultSubcommand: URLShowVerb.self)
}
