import ArgumentParser
import ExplainedErrors
import Foundation
import ManualPages
import TapManager
import TestSupport
import Testing

@testable import TapKitCLI
@testable import TapKitHWI

extension ManualPage {
    /// All pages, made once for all tests, as describing every verb takes the parser long.
    static let everyPage = Result { try ManualPage.all() }
}

/// The manual: every verb and every option in it, and pages that `man` and mandoc have nothing to say about.
@Suite(.fewAtATime) struct ManualTests {
    /// The pages as files, and as people read them.
    private struct Shelf {
        let folder: TestSupport.TemporaryFolder
        let pages: [ManualPage]

        init() throws {
            folder = try TestSupport.TemporaryFolder()
            pages = try ManualPage.everyPage.get()
            for page in pages { try folder.write(page.text, to: page.fileName) }
        }

        /// The pages of the verbs, without the overview.
        var verbs: [ManualPage] { pages.dropFirst().filter { $0.section == .commands } }

        /// What `man` shows, on lines so long that nothing is broken.
        func rendered(_ page: ManualPage) async throws -> String {
            try await Subprocess.run(
                "man", ["-E", "UTF-8", "-l", folder.path(page.fileName)],
                environment: ["MANWIDTH": "1000", "LC_ALL": "C.UTF-8", "MANPAGER": nil, "MANOPT": nil]
            ).succeeded().text
        }
    }

    @Test func everyVerbHasAPage() throws {
        let names = try ManualPage.everyPage.get().filter { $0.section == .commands }.map(\.name)
        #expect(names == ["tapkit"] + TapkitCommand.verbs.map { "tapkit-\($0)" })
    }

    @Test func mandocAndManFindNothingAmiss() async throws {
        let shelf = try Shelf()
        for page in shelf.pages {
            let lint = try await Subprocess.run(
                "mandoc", ["-T", "lint", "-W", "warning", shelf.folder.path(page.fileName)])
            #expect(lint.ending == .exited(0) && lint.output.isEmpty, "\(lint.text)\(lint.errorText)")
            let man = try await Subprocess.run(
                "man", ["--warnings", "-E", "UTF-8", "-l", shelf.folder.path(page.fileName)],
                environment: ["MANWIDTH": "80", "LC_ALL": "C.UTF-8"])
            #expect(man.ending == .exited(0) && man.errorOutput.isEmpty, "\(page.name): \(man.errorText)")
        }
    }

    /// `tapkit help VERB` and the manual tell of the same options, and have the same examples.
    @Test func everyOptionAndExampleOfTheHelpIsInTheManual() async throws {
        let shelf = try Shelf()
        let overview = Self.options(toldOn: try await shelf.rendered(try #require(shelf.pages.first)))
        for verb in TapkitCommand.configuration.subcommands {
            let page = try #require(shelf.pages.first { $0.name == "tapkit-\(verb._commandName)" })
            let text = try await shelf.rendered(page)
            for example in CommandExample.beginning(with: [verb._commandName]) {
                #expect(text.contains(example.line))
            }
            let told = overview.union(Self.options(toldOn: text))
            for command in Self.leaves(of: verb) {
                for option in Self.options(inHelp: TapkitCommand.helpMessage(for: command)) {
                    #expect(told.contains(option), "\(page.name) lacks \(option)")
                }
            }
        }
    }

    @Test func theOverviewTellsWhatAllVerbsShare() async throws {
        let shelf = try Shelf()
        let text = try await shelf.rendered(try #require(shelf.pages.first))
        for verb in TapkitCommand.verbs { #expect(text.contains("tapkit-\(verb)(1)")) }
        for page in HandbookPage.all { #expect(text.contains("tapkit-\(page.name)(7)")) }
        for code in ErrorCode.allCases { #expect(text.contains(code.meaning), "\(code)") }
        for status in ExitStatus.allCases { #expect(text.contains("\(status.rawValue)"), "\(status)") }
        let told = Self.options(toldOn: text)
        for option in try CommandDescription.globalOptions() { #expect(told.contains(option.identity)) }
        let help = TapkitCommand.helpMessage(for: StatusVerb.self)
        let variables = help.matches(of: /TAPKIT_[A-Z_]+/).map { String($0.0) }
        #expect(variables.count >= 8)
        for variable in variables { #expect(text.contains("\(variable)\n"), "\(variable)") }
    }

    /// Options of every verb are told once, not on each page.
    @Test func sharedOptionsAreToldOnce() throws {
        for page in try Shelf().verbs { #expect(!page.text.contains("APDU"), "\(page.name)") }
    }

    @Test(arguments: CommandExample.all.map(\.line))
    func examplesAreCommandLines(_ line: String) throws {
        let words = try #require(try Self.words(of: line))
        #expect(words.first == "tapkit")
        // HWI's command line has a parser of its own.
        if words.dropFirst().first == HWIProgram.name {
            guard case .command = try HWIParser.request(words.dropFirst(2).map({ Array($0.utf8) })) else {
                Issue.record("\(line)")
                return
            }
            return
        }
        let arguments = CommandLineText.normalized(Array(words.dropFirst()))
        #expect(throws: Never.self) { try TapkitCommand.requireVerb(arguments) }
        #expect(throws: Never.self) { _ = try TapkitCommand.parseAsRoot(arguments) }
    }

    @Test func theHelpHasTheExamplesOfItsVerbAlone() async throws {
        let help = try await Subprocess.run(Subprocess.tapkit, ["help", "wallet", "add"]).succeeded().text
        #expect(help.contains("EXAMPLES:\n  tapkit wallet add savings\n"))
        #expect(!help.contains("wallet receive savings"))
    }

    /// What HWI's own parser reads is what the help, the manual and the completion of shells tell of.
    @Test func everyOptionOfHWIsIsExplained() async throws {
        let shelf = try Shelf()
        let page = try await shelf.rendered(try #require(shelf.pages.first { $0.name == "tapkit-hwi" }))
        let told = Self.options(toldOn: page)
        let entries = HWIVerb.configuration.subcommands
        #expect(entries.map { $0._commandName } == HWIProgram.all.map { $0.grammar.name })
        for shell in [CompletionShell.bash, .zsh, .fish] {
            let script = TapkitCommand.completionScript(for: shell)
            #expect(script.contains("backup_passphrase") && script.contains("stdinpass"), "\(shell)")
        }
        for (entry, command) in zip(entries, HWIProgram.all.map({ $0.grammar })) {
            let help = TapkitCommand.helpMessage(for: entry)
            for option in HWIGrammar.hwi.options + command.options {
                for name in option.long {
                    #expect(help.contains("--\(name)") && page.contains("--\(name)"), "\(command.name): \(name)")
                }
                if let short = option.short {
                    #expect(help.contains("-\(short), ") && told.contains("-\(short)"), "\(command.name): \(short)")
                }
            }
            for operand in command.operands { #expect(help.contains("<\(operand.name)>")) }
        }
    }

    /// What can be left out is in brackets, and nothing else is.
    @Test func aSynopsisTellsWhatCanBeLeftOut() async throws {
        let shelf = try Shelf()
        for (page, line) in [
            ("tx", "tapkit tx show [--offline] id"), ("tx", "--wallet name --to address=amount… [--drain]"),
            ("wallet", "] name [descriptors]…"), ("change-cvc", "tapkit change-cvc [--new-cvc-file path]"),
        ] {
            let text = try await shelf.rendered(try #require(shelf.pages.first { $0.name == "tapkit-\(page)" }))
            #expect(text.contains(line), "\(page): \(line)")
        }
    }

    /// Not filled up as a paragraph.
    @Test func everyExportFormatHasALine() async throws {
        let shelf = try Shelf()
        let text = try await shelf.rendered(try #require(shelf.pages.first { $0.name == "tapkit-export" }))
        let first = text.split(separator: "\n").compactMap { $0.split(separator: " ").first.map(String.init) }
        for format in ExportFormat.allCases { #expect(first.contains(format.rawValue), "\(format)") }
    }

    @Test func theOptionWritesTheFolder() async throws {
        let folder = try TestSupport.TemporaryFolder()
        let manual = folder.path("man")
        try await Subprocess.run(Subprocess.tapkit, ["--generate-manual", manual]).succeeded()
        #expect(
            try Set(FileManager.default.contentsOfDirectory(atPath: manual))
                == Set(ManualPage.everyPage.get().map(\.fileName)))
        let mode = try FileManager.default.attributesOfItem(atPath: manual + "/tapkit.1")[.posixPermissions]
        #expect(mode as? Int == 0o644)
        #expect(try await Subprocess.run(Subprocess.tapkit, ["--generate-manual"]).status == 64)
        #expect(
            try await Subprocess.run(Subprocess.tapkit, ["--generate-manual", folder.path("no/man")]).status == 73)
    }

    /// A command's subcommands that can be run, or itself.
    private static func leaves(of command: any ParsableCommand.Type) -> [any ParsableCommand.Type] {
        let inner = command.configuration.subcommands
        return inner.isEmpty ? [command] : inner.flatMap { leaves(of: $0) }
    }

    /// The options that stand at the beginning of a line of the parser's help.
    private static func options(inHelp help: String) -> [String] {
        help.split(separator: "\n").flatMap { line -> [String] in
            guard let match = line.firstMatch(of: /^  ((-\w, )?--[a-z0-9-]+)/) else { return [] }
            return match.1.components(separatedBy: ", ")
        }
    }

    /// The options that a page has an item for, or names among those of every verb, and the other words beside them.
    private static func options(toldOn page: String) -> Set<String> {
        let items = page.split(separator: "\n").filter { $0.first { $0 != " " } == "-" }
        return Set(
            items.flatMap { $0.split { !($0.isLetter || $0.isNumber || $0 == "-") }.map(String.init) })
    }

    /// The words of a shell's command line with nothing in it but words and single quotes.
    private static func words(of line: String) throws -> [String]? {
        guard line.wholeMatch(of: /[A-Za-z0-9 =:.,\/_'-]+/) != nil else { return nil }
        return line.split(separator: "'", omittingEmptySubsequences: false).enumerated().flatMap { index, piece in
            index % 2 == 1 ? [String(piece)] : piece.split(separator: " ").map(String.init)
        }
    }
}
