import ArgumentParser
import Bitcoin
import ExplainedErrors
import FrontEndText
import Glibc
import Settings
import TapManager
import Terminal

/// `tapkit help TOPIC`: help for verbs and general topics.
struct HelpVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "help", abstract: "Show help for a verb, or one of: \(Topic.names).")

    /// The topics besides verbs.
    enum Topic: String, CaseIterable, CustomStringConvertible {
        case options, readers, errors, findings, policies

        var description: String { rawValue }

        /// What the topic explains.
        var meaning: String {
            switch self {
            case .options: "The options of every verb."
            case .readers: "How to name a reader."
            case .errors: "List every error code with its exit status."
            case .findings: "What tapkit finds in transactions, and which findings --yes does not accept."
            case .policies: "The policies of tapkit wallet add --policy, with their risks."
            }
        }

        fileprivate static var names: String { allCases.map(\.rawValue).joined(separator: ", ") }
    }

    @OptionGroup var options: GlobalOptions

    @Argument(
        help: "A verb, or one of: \(Topic.names).",
        completion: .list(TapkitCommand.verbs + Topic.allCases.map(\.rawValue)))
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

    private struct PolicyList: Encodable {
        struct Entry: Encodable {
            let name: String
            let summary: String
            let risks: String
        }

        let policies: [Entry]
    }

    private struct Explanation: Encodable {
        let text: String
    }

    func run() async throws {
        let text = try HelpText(width: options.isJSON ? nil : TerminalRoom(of: STDOUT_FILENO).columns)
        switch topics.count == 1 ? topics.first.flatMap(Topic.init) : nil {
        case .errors?: explainErrors(text)
        case .findings?: explainFindings(text)
        case .policies?: explainPolicies(text)
        case .options?: explain(text.options)
        case .readers?: explain(try text.verb(topics) + [""] + text.discussion(Self.readers))
        case nil:
            try requireVerb()
            explain(try text.verb(topics))
        }
    }

    /// Checks that the topics name a verb, outermost word first (`sim new`).
    private func requireVerb() throws(Failure) {
        let known = TapkitCommand.verb(of: topics)
        guard known.count < topics.count else { return }
        throw TapkitCommand.unknownVerb(topics[known.count], within: known, orOneOf: Topic.allCases.map(\.rawValue))
    }

    private func explain(_ lines: [String]) {
        options.console.answer(Explanation(text: lines.joined(separator: "\n")), lines)
    }

    private func explainErrors(_ text: HelpText) {
        let sorted = ErrorCode.allCases.sorted { $0.exitStatus.rawValue < $1.exitStatus.rawValue }
        options.console.answer(
            ErrorList(
                errors: ErrorCode.allCases.map {
                    .init(code: $0.rawValue, exit: $0.exitStatus.rawValue, meaning: $0.meaning)
                }),
            text.table(sorted.map { ("\($0.exitStatus.rawValue) \($0.rawValue)", $0.meaning) }))
    }

    private func explainFindings(_ text: HelpText) {
        // Leaves out the code for additional checks: there are none.
        let codes = FindingCode.allCases.filter { $0 != .policy }
        let lines = { (codes: [FindingCode]) in text.table(codes.map { ($0.rawValue, $0.meaning) }) }
        options.console.answer(
            FindingList(
                findings: codes.map {
                    .init(code: $0.rawValue, needsAcceptance: $0.needsAcceptance, meaning: $0.meaning)
                }),
            text.paragraph("Can lose money; you are asked, and --yes also needs --accept CODE:")
                + lines(codes.filter(\.needsAcceptance)) + [""] + text.paragraph("Refused, or only shown:")
                + lines(codes.filter { !$0.needsAcceptance }))
    }

    private func explainPolicies(_ text: HelpText) {
        let lines = PolicyTemplate.allCases.flatMap { template in
            ["", template.rawValue] + text.paragraph("  \(template.example)")
                + text.paragraph("  Risks: \(template.risks)")
        }
        options.console.answer(
            PolicyList(
                policies: PolicyTemplate.allCases.map {
                    .init(name: $0.rawValue, summary: $0.summary, risks: $0.risks)
                }), text.discussion(Self.policies) + lines)
    }

    /// How a policy is made: paragraphs.
    private static let policies = """
        tapkit wallet add NAME --policy POLICY makes a wallet with two spending paths: the first is always open, the later \
        one opens once a coin is as old as --after says. On a terminal you are asked for what is missing. A coin's age \
        begins anew when it moves. The longest possible age is \(TemplatePolicy.wait(TemplatePolicy.maximumBlocks)).

        --key names the keys that can spend at any time, --later-key (or --heir) those that can spend only later, and \
        --threshold and --later-threshold how many of them must sign.
        """

    /// How to name a reader: paragraphs, with a table between them.
    static var readers: String {
        let width = ReaderSpec.forms.map(\.text.count).max() ?? 0
        let forms = ReaderSpec.forms.map { form in
            "  \(form.text)\(String(repeating: " ", count: width - form.text.count))  \(form.meaning)"
        }
        return """
            tapkit uses the reader named by --reader SPEC, or else by the environment variable TAPKIT_READER, or \
            else by the setting reader (tapkit config), or else pcsc.

            \(forms.joined(separator: "\n"))

            tapkit readers lists the readers and the cards on them. If there are several cards, choose one with --card \
            TEXT, part of the card's ident. --wait waits for a card. tapkit readers --watch reports readers and cards \
            as they come and go. tapkit doctor finds out why a reader cannot be used. tapkit sim new FILE creates a \
            simulated card.
            """
    }
}

extension PolicyTemplate {
    /// What it does, with an example.
    fileprivate var example: String {
        let example =
            switch self {
            case .decaying: "2 of 3 keys, and after a year 1 of them: three --key, --threshold 2, --after 365d."
            case .expanding:
                "2 of 2 keys, and after half a year 2 of 3: two --key, one --later-key, --threshold 2, --after 26280."
            case .inheritance:
                "your key, and after a year both of two heirs: one --key, two --heir, --later-threshold 2, --after 52560."
            case .recovery:
                "your card, and after half a year the one in the safe: one --key, one --later-key, --after 26280."
            }
        return "\(summary.prefix(1).uppercased())\(summary.dropFirst()). For example \(example)"
    }
}
