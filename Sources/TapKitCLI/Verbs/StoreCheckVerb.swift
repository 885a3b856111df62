import ArgumentParser
import TapManager

/// `tapkit store check`: whether the local store is whole.
struct StoreCheckVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Read everything in the local store, and say what is wrong.",
        discussion: "Changes nothing: a damaged file stays where it is.")

    @OptionGroup var options: GlobalOptions

    private struct Answer: Encodable {
        let ok = true
        let file: String
    }

    func run() async throws {
        try options.requireSense()
        let folder = try options.dataFolder()
        let found: StoreCheck?
        do throws(StoreError) { found = try StoreCheck(folder: folder) } catch { throw Failure(error) }
        guard let found else { throw Failure.noStore(in: folder) }
        guard found.problems.isEmpty else { throw Failure(found) }
        guard !options.isJSON else {
            JSONAnswer.write(Answer(file: found.file))
            return
        }
        options.console.say("\(found.file) is whole.")
        for (things, count) in found.counts {
            options.console.say("  \(count) \(count == 1 ? String(things.dropLast()) : things)")
        }
    }
}
