import ArgumentParser

/// `tapkit url`: tap links.
struct URLVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "url", abstract: "Show the card's tap link, as a phone sees it, or verify a link offline.",
        subcommands: [URLShowVerb.self, URLVerifyVerb.self], defaultSubcommand: URLShowVerb.self)
}
