import Bitcoin
import Testing

@testable import TapKitHWI

/// HWI's grammar, as `argparse` reads it.
@Suite struct HWIParserTests {
    /// What a command line comes to: the command, and its values by name; flags with none.
    private struct Call: Equatable, CustomStringConvertible {
        let command: String
        var values: [String: [String]] = [:]
        var password: String?

        var description: String { "\(command) \(values) \(password ?? "-")" }
    }

    private static func call(_ words: [String]) throws -> Call {
        guard case .command(let command, let values) = try HWIParser.request(words.map { Array($0.utf8) }) else {
            throw HWIUsageError(command: nil, message: "no command")
        }
        var call = Call(command: command.grammar.name)
        for option in HWIGlobals.options + command.grammar.options where values.has(option) {
            call.values[option.key] = option.value == .flag ? [] : values.texts(option)
        }
        for operand in command.grammar.operands { call.values[operand.name] = [values.text(operand)] }
        call.password = values.password.map { $0.withBytes { String(decoding: $0, as: UTF8.self) } }
        return call
    }

    private static func complaint(_ words: [String]) -> HWIUsageError? {
        do throws(HWIUsageError) {
            _ = try HWIParser.request(words.map { Array($0.utf8) })
            return nil
        } catch { return error }
    }

    /// The least that every command wants to be told.
    private static func least(_ command: HWIGrammar) -> [String] {
        [command.name] + command.operands.map { $0.kind == .number ? "1" : "m" }
            + (command.requirement.first.map { ["--\($0.key)", "x"] } ?? [])
    }

    /// A value that an option takes; `nil`: it takes none.
    private static func value(_ option: HWIOption) -> String? {
        switch option.value {
        case .flag: nil
        case .number: "7"
        case .choice(_, let choices): choices.last
        case .text, .secret: "a b"
        }
    }

    // MARK: Every option of every command

    @Test func thereAreHWIsCommands() {
        let names = """
            enumerate getmasterxpub signtx getxpub signmessage getkeypool getdescriptors displayaddress setup wipe restore \
            backup promptpin togglepassphrase sendpin registerdescriptor \
            installudevrules
            """
        #expect(HWIProgram.all.map { $0.grammar.name } == names.split(separator: " ").map(String.init))
        for command in HWIProgram.all { #expect(throws: Never.self) { try Self.call(Self.least(command.grammar)) } }
    }

    /// Before the command if it is one of every command, behind it, with a space or an equals sign, by each of its names.
    @Test func everyOptionIsReadInEverySpelling() throws {
        for command in HWIProgram.all.map({ $0.grammar }) {
            for (option, isGlobal) in HWIGlobals.options.map({ ($0, true) }) + command.options.map({ ($0, false) }) {
                guard !command.requirement.contains(option) else { continue }
                let value = Self.value(option)
                var spellings = option.long.map { ["--\($0)"] + (value.map { [$0] } ?? []) }
                if let value { spellings += option.long.map { ["--\($0)=\(value)"] } }
                if let short = option.short {
                    spellings.append(["-\(short)"] + (value.map { [$0] } ?? []))
                    if let value { spellings += [["-\(short)\(value)"], ["-\(short)=\(value)"]] }
                }
                for spelling in spellings {
                    let least = Self.least(command)
                    var lines = [least + spelling, [command.name] + spelling + least.dropFirst()]
                    if isGlobal { lines.append(spelling + least) }
                    // Where anybody's words stand, words with a space between are that.
                    if command.operands.first?.kind == .freeText { lines.remove(at: 1) }
                    for line in lines {
                        let call = try Self.call(line)
                        if option.isSecret {
                            #expect(call.password == value, "\(line)")
                        } else {
                            #expect(call.values[option.key] == (value.map { [$0] } ?? []), "\(line)")
                        }
                    }
                }
            }
        }
    }

    @Test func everyOptionThatTakesAValueWantsOne() {
        for command in HWIProgram.all.map({ $0.grammar }) {
            for option in HWIGlobals.options + command.options where option.value != .flag {
                for line in [Self.least(command) + ["--\(option.key)"], [command.name, "--\(option.key)", "--expert"]] {
                    // Any word is a password.
                    guard !option.isSecret || line.last != "--expert" else { continue }
                    let complaint = Self.complaint(line)
                    #expect(complaint?.message == "argument \(option.title): expected one argument", "\(line)")
                    #expect(complaint?.program == "hwi \(command.name)")
                }
            }
        }
    }

    @Test func everyFlagTakesNoValue() {
        for command in HWIProgram.all.map({ $0.grammar }) {
            for option in HWIGlobals.options + command.options where option.value == .flag {
                let complaint = Self.complaint(Self.least(command) + ["--\(option.key)=123456"])
                #expect(complaint?.message == "argument \(option.title): takes no value")
            }
        }
    }

    @Test func everyCommandWantsItsOperandsAndNoMore() {
        for command in HWIProgram.all.map({ $0.grammar }) {
            let names = command.operands.map(\.name).joined(separator: ", ")
            if !names.isEmpty {
                #expect(
                    Self.complaint([command.name])?.message == "the following arguments are required: \(names)")
            }
            #expect(Self.complaint(Self.least(command) + ["more"])?.message == "unrecognized arguments: more")
            #expect(
                Self.complaint(Self.least(command) + ["--frob", "-x"])?.message == "unrecognized arguments: --frob -x")
        }
    }

    // MARK: What argparse does

    @Test(
        arguments: [
            // Flags together, and an option behind them.
            (["-ivf", "ab", "enumerate"], ["interactive": [], "debug": [], "fingerprint": ["ab"]]),
            (["-ifab", "enumerate"], ["interactive": [], "fingerprint": ["ab"]]),
            // Shortened, as long as it is certain; tapkit's own options do not make HWI's uncertain, and are not shortened.
            (["--finger", "ab", "--em", "enumerate"], ["fingerprint": ["ab"], "emulators": []]),
            (["--c=TEST", "enumerate", "--f", "ab"], ["chain": ["test"], "fingerprint": ["ab"]]),
            // The last one counts; of roots, each.
            (["-f", "a", "enumerate", "-f", "b"], ["fingerprint": ["b"]]),
            (["--root-key", "a", "enumerate", "--root-key=b"], ["root-key": ["a", "b"]]),
            // A hyphen alone is a value, and an empty word one, too.
            (["--cvc-file", "-", "-f", "", "enumerate"], ["cvc-file": ["-"], "fingerprint": [""]]),
            (["--", "enumerate", "-i"], ["interactive": []]),
        ] as [([String], [String: [String]])])
    func enumerating(_ words: [String], _ values: [String: [String]]) throws {
        #expect(try Self.call(words) == Call(command: "enumerate", values: values))
    }

    @Test(
        arguments: [
            // What a command has itself comes first where both could be meant.
            (
                ["getkeypool", "--int", "--addr", "SH_WIT", "--acc", "3", "--p", "m/*", "0", "9"],
                [
                    "internal": [], "addr-type": ["sh_wit"], "account": ["3"], "path": ["m/*"], "start": ["0"],
                    "end": ["9"],
                ]
            ),
            (["getkeypool", "-1", "9"], ["start": ["-1"], "end": ["9"]]),
            // Anybody's words may begin as an option does.
            (["signmessage", "-1", "m"], ["message": ["-1"], "path": ["m"]]),
            (
                ["signmessage", "-please pay", "m", "-i"],
                ["message": ["-please pay"], "path": ["m"], "interactive": []]
            ),
            (["signmessage", "--password me", "m"], ["message": ["--password me"], "path": ["m"]]),
            (["signmessage", "--", "--version", "-p1"], ["message": ["--version"], "path": ["-p1"]]),
            (["signmessage", "", "m"], ["message": [""], "path": ["m"]]),
            (["restore", "-w", "12", "-lx"], ["word_count": ["12"], "label": ["x"]]),
            (["displayaddress", "--desc=wpkh(a=b)"], ["desc": ["wpkh(a=b)"]]),
        ] as [([String], [String: [String]])])
    func otherCommands(_ words: [String], _ values: [String: [String]]) throws {
        #expect(try Self.call(words) == Call(command: words[0], values: values))
    }

    @Test(
        arguments: [
            ([], nil, "the following arguments are required: command"),
            (["--foo"], nil, "the following arguments are required: command"),
            (["-f"], nil, "argument --fingerprint/-f: expected one argument"),
            (
                ["--d", "x", "enumerate"], nil,
                "ambiguous option: --d could match --device-path, --device-type, --debug"
            ),
            (["--st", "enumerate"], nil, "ambiguous option: --st could match --stdinpass, --stdin"),
            (["--cvc=x", "enumerate"], "enumerate", "unrecognized arguments: --cvc"),
            (
                ["getxpub", "m", "--chain", "doge"], "getxpub",
                "argument --chain: invalid choice: 'doge' (choose from main, test, regtest, signet, testnet4)"
            ),
            (
                ["getmasterxpub", "--addr-type", "x"], "getmasterxpub",
                "argument --addr-type: invalid choice: 'x' (choose from legacy, wit, sh_wit, tap)"
            ),
            (["getkeypool", "a", "1"], "getkeypool", "argument start: invalid int value: 'a'"),
            (["getdescriptors", "--account", "a"], "getdescriptors", "argument --account: invalid int value: 'a'"),
            (
                ["getdescriptors", "--account", "99999999999999999999"], "getdescriptors",
                "argument --account: invalid int value"
            ),
            (["displayaddress"], "displayaddress", "one of the arguments --desc --path --registration is required"),
            (
                ["displayaddress", "--desc", "a", "--path", "b"], "displayaddress",
                "argument --path: not allowed with argument --desc"
            ),
            (
                ["getkeypool", "--nokeypool", "--keypool", "0", "1"], "getkeypool",
                "argument --keypool: not allowed with argument --nokeypool"
            ),
            (
                ["getkeypool", "--all", "--addr-type", "wit", "0", "1"], "getkeypool",
                "argument --addr-type: not allowed with argument --all"
            ),
            (["enumerate", "--x\nThe card"], "enumerate", "unrecognized arguments: --x\u{FFFD}The card"),
        ] as [([String], String?, String)])
    func complaints(_ words: [String], _ command: String?, _ message: String) {
        #expect(Self.complaint(words) == HWIUsageError(command: command, message: message))
    }

    @Test func anUnknownCommandIsToldTheOthers() {
        let complaint = Self.complaint(["--emulators", "frobnicate"])
        #expect(
            complaint?.message.hasPrefix("argument command: invalid choice: 'frobnicate' (choose from enumerate, ")
                == true)
        #expect(complaint?.program == "hwi")
    }

    @Test func whatIsNoTextIsRefused() {
        #expect(throws: HWIUsageError.self) { try HWIParser.request([[0xFF]]) }
        #expect(throws: HWIUsageError.self) {
            try HWIParser.request([Array("-f".utf8), [0xFF], Array("enumerate".utf8)])
        }
    }

    // MARK: Help

    @Test(arguments: [["--help"], ["-h"], ["-ih"], ["--he", "--foo"], ["--foo", "-h", "enumerate"]])
    func helpOfHWI(_ words: [String]) throws {
        guard case .help(nil) = try HWIParser.request(words.map { Array($0.utf8) }) else {
            Issue.record("\(words)")
            return
        }
    }

    @Test func helpOfACommand() throws {
        for command in HWIProgram.all.map({ $0.grammar }) {
            guard case .help(let grammar?) = try HWIParser.request([Array(command.name.utf8), Array("--help".utf8)])
            else {
                Issue.record("\(command.name)")
                continue
            }
            #expect(grammar.name == command.name)
            let lines = HWIHelpText(grammar).lines
            #expect(lines.allSatisfy { $0.count <= 80 } && lines.contains("USAGE: \(HWIHelpText.usage(grammar))"))
            let text = lines.joined(separator: "\n")
            for option in HWIGlobals.all + command.options {
                for name in option.long { #expect(text.contains("--\(name)"), "\(command.name): \(name)") }
            }
            for operand in command.operands { #expect(text.contains("  <\(operand.name)>")) }
        }
        let text = HWIHelpText(nil).lines.joined(separator: "\n")
        #expect(text.contains("USAGE: hwi "))
        for command in HWIProgram.all { #expect(text.contains("\n  \(command.grammar.name) ")) }
    }

    @Test func version() throws {
        for words in [["--version"], ["enumerate", "--version"], ["--vers", "frob"]] {
            guard case .version = try HWIParser.request(words.map { Array($0.utf8) }) else {
                Issue.record("\(words)")
                continue
            }
        }
    }
}
