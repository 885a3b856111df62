import ArgumentParser
import ExplainedErrors
import Settings
import TapManager

/// `tapkit store check`: whether the local store is intact.
struct StoreCheckVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Read everything in the local store, and report problems.",
        discussion: """
            It also fails if a wallet was altered after a card registered it, if one holder could sign twice, if the \
            descriptors do not belong together, or if a key is not the one that its card has proven. Nothing is \
            changed: a damaged file stays where it is.
            """)

    @OptionGroup var options: GlobalOptions

    func run() async throws {
        try options.requireSense()
        let folder = try options.storeFolder().folder
        guard let found = try CardManager.checkStore(in: folder) else { throw Failure.noStore(in: folder) }
        guard found.problems.isEmpty else { throw Failure(found) }
        let wallets: [any ExplainedError] = found.altered + found.unsafe
        if let first = wallets.first { throw Failure(first.code, lines: wallets.map(\.message), hint: first.remedy) }
        options.console.answer(
            StoreFileAnswer(file: found.file),
            ["\(found.file) is intact."]
                + found.counts.map { things, count in "  \(count) \(count == 1 ? String(things.dropLast()) : things)" })
    }
}
