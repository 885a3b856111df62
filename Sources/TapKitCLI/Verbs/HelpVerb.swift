import ArgumentParser
import ExplainedErrors
import TapManager

/// `tapkit help TOPIC`: what does not belong to one verb.
struct HelpVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "help", abstract: "Explain a verb, or one of: errors, findings, readers.")

    @OptionGroup var options: GlobalOptions

    @Argument(help: "A verb, errors, findings, or readers.")
    var topics: [String] = []

    private struct ErrorList: Encodable {
        struct Entry: Encodable {
            let code: String
            let exit: Int32
            let meaning: String
        }

        let errors: [Entry]
    }

    private struct FindingList: Encodable {
        struct Entry: Encodable {
            let code: String
            let needsAcceptance: Bool
            let meaning: String
        }

        let findings: [Entry]
    }

    private struct Explanation: Encodable {
        let text: String
    }

    func run() async throws {
        switch topics.first {
        case "errors": explainErrors()
        case "findings": explainFindings()
        case "readers" where topics.count == 1: explain("\(try explanation())\n\n\(Self.readers)")
        default: explain(try explanation())
        }
    }

    /// What the parser tells of a verb, and how it is used.
    private func explanation() throws(Failure) -> String {
        let help = TapkitCommand.helpMessage(for: try command())
        let examples = CommandExample.beginning(with: topics)
        guard !topics.isEmpty, !examples.isEmpty else { return help }
        let lines = examples.map { "  \($0.line)\n      \($0.meaning)" }
        return ([help, help.hasSuffix("\n") ? "EXAMPLES:" : "\nEXAMPLES:"] + lines).joined(separator: "\n")
    }

    /// The verb that the topics name, from outside in (`sim new`); the command itself without any.
    private func command() throws(Failure) -> any ParsableCommand.Type {
        var command: any ParsableCommand.Type = TapkitCommand.self
        for (depth, name) in topics.enumerated() {
            guard let inner = command.configuration.subcommands.first(where: { $0._commandName == name }) else {
                throw TapkitCommand.unknownVerb(
                    name, within: Array(topics.prefix(depth)), orOneOf: ["errors", "findings"])
            }
            command = inner
        }
        return command
    }

    private func explain(_ text: String) {
        options.console.answer(Explanation(text: text), Self.lines(of: text))
    }

    private static func lines(of text: String) -> [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    private func explainErrors() {
        let width = ErrorCode.allCases.map(\.rawValue.count).max() ?? 0
        let sorted = ErrorCode.allCases.sorted { $0.exitStatus.rawValue < $1.exitStatus.rawValue }
        options.console.answer(
            ErrorList(
                errors: ErrorCode.allCases.map {
                    .init(code: $0.rawValue, exit: $0.exitStatus.rawValue, meaning: $0.meaning)
                }),
            sorted.map { "\($0.exitStatus.rawValue)  \(Self.padded($0.rawValue, width))  \($0.meaning)" })
    }

    private func explainFindings() {
        // No check is added to those that always hold.
        let codes = FindingCode.allCases.filter { $0 != .policy }
        let width = codes.map(\.rawValue.count).max() ?? 0
        let lines = { (codes: [FindingCode]) in codes.map { "  \(Self.padded($0.rawValue, width))  \($0.meaning)" } }
        options.console.answer(
            FindingList(
                findings: codes.map {
                    .init(code: $0.rawValue, needsAcceptance: $0.needsAcceptance, meaning: $0.meaning)
                }),
            ["What can lose money: asked about; with --yes it needs --accept CODE as well."]
                + lines(codes.filter(\.needsAcceptance)) + ["What is refused, or only shown:"]
                + lines(codes.filter { !$0.needsAcceptance }))
    }

    private static func padded(_ name: String, _ width: Int) -> String {
        name + String(repeating: " ", count: width - name.count)
    }

    /// What `--reader` takes.
    static var readers: String {
        let width = ReaderSpec.forms.map(\.text.count).max() ?? 0
        let forms = ReaderSpec.forms.map { "  \(padded($0.text, width))  \($0.meaning)" }
        return """
            Which reader is used: --reader SPEC, else the environment variable TAPKIT_READER, else pcsc.

            \(forms.joined(separator: "\n"))

            tapkit readers lists them with what lies on each. With several cards, choose one with
            --card TEXT, a part of the card's ident. --wait waits for a card to be laid down.
            tapkit readers --watch tells when readers and cards come and go. tapkit doctor finds out
            why a reader cannot be used. tapkit sim new FILE makes a simulated card.
            """
    }
}
