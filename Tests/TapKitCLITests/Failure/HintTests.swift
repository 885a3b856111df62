import Bitcoin
import ExplainedErrors
import ManualPages
import TapProtocol
import Terminal
import Testing

@testable import Settings
@testable import TapKitCLI
@testable import TapKitHWI

/// Every hint of every error: that there is one, and that what it names exists.
@Suite struct HintTests {
    /// Somebody said no, or ended it: nothing is left to do.
    private static let endings: Set<ErrorCode> = [.declined, .cancelled, .interrupted]

    /// Every verb with its options, described once: that takes the parser a quarter of a second.
    private static let tapkit = Result { try CommandDescription.tapkit() }

    /// The options that a text may name; --now is one of systemctl's.
    private static let knownOptions = ((try? tapkit.get()).map(options) ?? []).union(["--now"])

    /// Every option that a verb has, or an option of every verb.
    private static func options(of command: CommandDescription) -> Set<String> {
        let own = (command.arguments ?? []).flatMap { ($0.names ?? []).map(\.text) }
        return (command.subcommands ?? []).reduce(into: Set(own)) { $0.formUnion(options(of: $1)) }
    }

    /// The first verb or option in a text that does not exist; `nil`: there is none.
    private static func stranger(in text: String, _ tapkit: CommandDescription) -> String? {
        for match in text.matches(of: /--[a-z][a-z-]*/) where !knownOptions.contains(String(match.0)) {
            return String(match.0)
        }
        for match in text.matches(of: /tapkit ([a-z][a-z-]*)(?: ([a-z][a-z-]*))?/) {
            guard let verb = tapkit.shownSubcommands.first(where: { $0.commandName == match.1 }) else {
                return String(match.0)
            }
            let next = match.2.map(String.init) ?? ""
            if verb.commandName == "help" {
                let topics = TapkitCommand.verbs + HelpVerb.Topic.allCases.map(\.rawValue)
                guard next.isEmpty || topics.contains(next) else { return String(match.0) }
            } else if !verb.shownSubcommands.isEmpty, verb.defaultSubcommand == nil {
                guard verb.shownSubcommands.contains(where: { $0.commandName == next }) else { return String(match.0) }
            }
        }
        return nil
    }

    private static func expectHelpful(_ hint: String, _ code: ErrorCode, _ tapkit: CommandDescription) {
        #expect(endings.contains(code) || !hint.isEmpty, "\(code)")
        #expect(hint.isEmpty || hint.contains(/[.…]$/), "\(code): \(hint)")
        let stranger = stranger(in: hint, tapkit)
        #expect(stranger == nil, "\(code): \(hint)")
    }

    @Test func everyErrorHasAWayOut() async throws {
        let tapkit = try Self.tapkit.get()
        for error in try await Sample.all() {
            let failure = Failure(error)
            Self.expectHelpful(failure.hint, failure.code, tapkit)
            // A library's remedy is every front end's: it names no command and no option.
            #expect(!error.remedy.contains(/tapkit [a-z]|--[a-z]|TAPKIT_/), "\(error.code): \(error.remedy)")
            // What a wallet's window shows has the message, the details and what is known of this very error.
            let told = HWIError(HWITerminal().explain(error)).error
            #expect(told.hasPrefix(failure.lines[0]) && Self.stranger(in: told, tapkit) == nil, "\(told)")
            #expect(told.hasSuffix(failure.isHintGeneral ? failure.lines.last ?? "" : failure.hint), "\(told)")
        }
    }

    @Test(arguments: ErrorCode.allCases) func everyCodeHasAWayOut(_ code: ErrorCode) throws {
        let tapkit = try Self.tapkit.get()
        Self.expectHelpful(Failure(code, "It went wrong.").hint, code, tapkit)
        // Most subjects change nothing: what is the same for several of them is read once.
        for hint in Set(try subjects().map { CommandHint.hint(code, $0) }) {
            Self.expectHelpful(hint + LastResort.hint(code), code, tapkit)
        }
    }

    private func subjects() throws -> [ErrorSubject] {
        let coin = try #require(Outpoint(parsing: String(repeating: "ab", count: 32) + ":0"))
        let readers: [ErrorSubject.Reader] = [
            .service, .missingService, .silentService, .port("/dev/y"), .named("nfc:x:/dev/y"), .unlisted("pcsc:x"),
            .unnamed(example: "nfc:x:/dev/y"),
        ]
        return ErrorSubject.Choice.allCases.map { .choice($0) } + readers.map { .reader($0) }
            + CardProduct.allCases.map { .product($0) } + [
                .input(0), .card(try #require(CardIdent(parsing: "ABCDE-FGHIJ-KLMNO-PQRST"))), .memory, .slot(1),
                .file("f"), .backup, .lockout(15),
                .store("/s"), .wallet("w"), .transaction(coin.transactionID), .sweep(coin.transactionID), .coin(coin),
                .path(try DerivationPath(parsing: "m/84h/0h/0h")), .feeRate(try FeeRate(parsing: "2")),
                .server("s"),
            ]
    }

    /// What a backend knows of its readers comes with its error: no hint knows a backend.
    @Test(arguments: [
        (ErrorSubject.Reader.unnamed(example: "bridge:/dev/x"), "For example: --reader bridge:/dev/x."),
        (.unlisted("bridge:x"), "List the readers with tapkit readers."),
        (.named("bridge:x"), "tapkit doctor investigates further."),
        (.service, "lsusb should list it; tapkit doctor investigates further."),
        (.port("/dev/y"), "ls /dev/serial/by-id lists the serial ports."),
    ])
    func aMissingReadersHintIsOfItsSubject(_ reader: ErrorSubject.Reader, _ hint: String) {
        #expect(CommandHint.hint(.noReader, .reader(reader), remedy: "Look.") == "Look. " + hint)
    }

    /// Commands to be copied have a line each, which is never broken; programs get the hint in one line.
    @Test func commandsHaveLinesOfTheirOwn() {
        let hint = CommandHint.hint(.noService, .reader(.service), remedy: "Start the service.")
        #expect(!hint.contains("\n"))
        let style = TerminalStyle(columns: 30)
        #expect(
            CommandHint.screen(hint).map { $0.shown(in: style) } == [
                "  Start the service. The\n    command is", "    sudo systemctl enable --now pcscd.socket",
                "  or, without systemd,", "    sudo /etc/init.d/pcscd start",
                "  tapkit doctor checks whether\n    anything else is wrong.",
            ])
        #expect(CommandHint.screen("").isEmpty && CommandHint.screen("Run it.") == [ScreenLine("  Run it.")])
        let restart = CommandHint.hint(.transportFailed, .reader(.service), remedy: "Restart it.")
        #expect(
            CommandHint.screen(restart) == [
                ScreenLine("  Restart it. The command is"), ScreenLine(whole: "    sudo systemctl restart pcscd"),
            ])
    }

    /// What mends the machine is typed in a terminal: the libraries say only what to do.
    @Test func whatMendsTheMachineIsTyped() {
        let hint = { (code: ErrorCode, subject: ErrorSubject, remedy: String) in
            CommandHint.hint(code, subject, remedy: remedy)
        }
        #expect(
            hint(.noService, .reader(.service), "Start the service.").hasPrefix(
                "Start the service. The command is sudo systemctl enable --now pcscd.socket or, without systemd, sudo ")
        )
        #expect(
            hint(.noService, .reader(.missingService), "Install it.")
                == "Install it. The command is sudo apt-get install pcscd.")
        #expect(
            hint(.noService, .reader(.silentService), "Restart it.").hasPrefix(
                "Restart it. The command is sudo systemctl restart pcscd.socket pcscd.service or, without systemd, sudo "
            )
        )
        #expect(hint(.readerBusy, .reader(.named("x")), "Close it.") == "Close it. tapkit doctor investigates further.")
        for code in [ErrorCode.readerGone, .transportFailed] {
            #expect(hint(code, .reader(.service), "Do it.").hasSuffix(" The command is sudo systemctl restart pcscd."))
            #expect(!hint(code, .reader(.named("x")), "Do it.").contains("sudo"))
        }
        #expect(hint(.noPermission, .reader(.port("/dev/y")), "Join it.").contains("sudo adduser $USER dialout"))
        #expect(hint(.storeUnsafe, .store("/my store"), "Look.").contains("run chmod go-w '/my store'."))
    }

    /// A value that is saved is in the way of every run: its hint ends with how to be rid of it.
    @Test func aSettingsHintNamesTheCommands() {
        let setting = Setting(configured: "floppy", key: .reader)
        let reader = setting.invalid("Unknown reader “floppy”.", advice: .readers)
        let forms = "Use one of \(ReaderSpec.formsText) (tapkit help readers)."
        #expect(Failure(reader).hint == forms)
        let saved = reader.saved(.reader, in: "/c.json")
        #expect(Failure(saved).hint == "\(forms) Remove it with tapkit config unset reader.")
        #expect(
            Failure(setting.invalid("It is old.").saved(.dataDir, in: "/c.json")).hint
                == "Remove it with tapkit config unset data-dir.")
        for (key, words) in [("data-dir", "data-dir"), ("-x", "-- -x"), ("a b", "'a b'")] {
            let twice = SettingError(.badConfiguration, "It is old.").saved(repeated: key)
            #expect(Failure(twice).hint == "Remove all its values with tapkit config unset \(words).")
        }
        #expect(
            Failure(SettingError(.badConfiguration, "It is old.", advice: .file)).hint
                == "Correct the file, or move it away: tapkit config set creates a new one.")
        #expect(
            Failure(SettingError(.badEnvironment, "It is old.", advice: .storeFolder)).hint
                == "Set HOME, or name a folder with --data-dir.")
        #expect(Failure(SettingError(.usage, "It is old.")).hint == "See tapkit help.")
    }

    /// A value is matched by its type; another type in its place is not mistaken for it.
    @Test func valuesAreMatchedByTheirTypes() throws {
        let id = try #require(Outpoint(parsing: String(repeating: "ab", count: 32) + ":0")).transactionID
        #expect(CommandHint.hint(.notComplete, .transaction(id)) == "Sign it with tapkit tx sign abababababab.")
        #expect(CommandHint.hint(.notComplete, .transaction(CardProduct.tapsigner)).isEmpty)
        #expect(CommandHint.hint(.notSupported, .product(CardProduct.satscard)).contains("slots"))
        #expect(CommandHint.hint(.notSupported, .product(CardProduct.satschip)).contains("xpub"))
        let rate = try FeeRate(parsing: "2.5")
        #expect(CommandHint.hint(.feeTooHigh, .feeRate(rate)) == "Use --fee-rate 2.5.")
        #expect(ErrorSubject.transaction(id) == .transaction(id) && ErrorSubject.transaction(id) != .sweep(id))
        #expect(ErrorSubject.product(CardProduct.satscard) != .product(CardProduct.satschip))
        let subjects = try subjects()
        #expect(Set(subjects).count == subjects.count)
    }

    /// What is known of an error itself is not lost to what helps with any error of its kind.
    @Test func aGeneralHintGivesWay() {
        let general = Failure(.transactionRejected, "The server says no.")
        #expect(general.isHintGeneral && !general.hint.isEmpty)
        #expect(general.prefixed("Not sent: ", hint: "Try later.").hint == "Try later.")
        #expect(general.hinting("Try later.").hint == "Try later.")
        let own = Failure(.transactionRejected, "The server says no.", hint: "Pay more.")
        #expect(own.prefixed("Not sent: ", hint: "Try later.").hint == "Pay more." && !own.isHintGeneral)
        #expect(own.hinting("Try later.").hint == "Pay more. Try later.")
    }

    @Test(arguments: [
        (NetworkSource.option, "Leave --network out"), (.variable, "Unset TAPKIT_NETWORK"),
        (.configuration, "tapkit config unset network"), (.none, "for the other network"),
    ])
    func theNetworkIsTakenBackWhereItCameFrom(_ source: NetworkSource, _ words: String) {
        for subject in [nil, .wallet("w"), .backup, .choice(.link)] as [ErrorSubject?] {
            #expect(source.hint(subject).contains(words))
        }
    }

    /// What this run's network was resolved from is what the hint says; the settings are not read again.
    @Test func theSourceIsThatOfTheSetting() {
        #expect(NetworkSource(Setting(option: "main", variable: "TAPKIT_NO_SUCH")) == .option)
        #expect(NetworkSource(Setting(option: nil, variable: "PATH")) == .variable)
        #expect(NetworkSource(Setting(configured: "main", key: .network)) == .configuration)
        #expect(NetworkSource(Setting(option: nil, variable: "TAPKIT_NO_SUCH")) == .none)
    }

    /// A card of the wrong kind: the verbs that are named are those of its own kind.
    @Test(arguments: CardProduct.allCases) func theVerbsOfAProductExist(_ product: CardProduct) {
        let verbs = CommandHint.verbs(of: product)
        for verb in verbs {
            let words = verb.split(separator: " ").map(String.init)
            #expect(TapkitCommand.verb(of: words) == words, "\(verb)")
        }
        #expect(verbs.contains("backup") == (product == .tapsigner))
        #expect(verbs.contains("sweep") == (product == .satscard) && verbs.contains("xpub") != verbs.contains("sweep"))
        let hint = CommandHint.hint(.notSupported, .product(product))
        #expect(hint == "These verbs work with a \(product.displayName): \(verbs.joined(separator: ", ")).")
    }

    @Test(arguments: [
        (["message", "sign"], "Unexpected argument 'b'", "Put the message in quotes. See tapkit help message sign."),
        (["message", "verify"], "Missing expected argument '<text>'", "Put the message in quotes."),
        (["url", "verify"], "Missing expected argument '<link>'", "Put the link in quotes."),
        (["message", "sign"], "Unknown option '--x'", "See tapkit help message sign."),
        (["status"], "Unexpected argument 'b'", "See tapkit help status."),
    ])
    func whatMustBeQuotedIsNamed(_ verb: [String], _ message: String, _ hint: String) {
        #expect(ParserMessage.hint(message, verb: verb).hasPrefix(hint))
    }

    /// A network is offered only where it works: with the same keys.
    @Test func anotherNetworksAddressIsNotMendedInACircle() throws {
        let hash = [UInt8](repeating: 7, count: 20)
        let script = try #require(Script.witness(version: 0, program: hash))
        func hint(_ found: Network, on network: Network) throws -> String {
            let address = try #require(Address(scriptPubKey: script, network: found)).description
            let failure = #expect(throws: Failure.self) {
                _ = try PaymentArgument("\(address)=1000sat", network: network)
            }
            #expect(failure?.code == .wrongNetwork)
            return failure?.hint ?? ""
        }
        #expect(try hint(.regtest, on: .test) == "Ask for an address on test, or use --network regtest.")
        #expect(try hint(.main, on: .test) == "Ask for an address on test.")
        #expect(try hint(.regtest, on: .main) == "Ask for an address on main.")
    }

    @Test func aMisuseNamesTheHelpOfItsVerb() {
        #expect(Failure(.usage, "No.").naming(["tx", "create"]).hint == "See tapkit help tx create.")
        #expect(Failure(.usage, "No.", hint: "Say yes.").naming(["sign"]).hint == "Say yes.")
        #expect(Failure(.noCard, "No.").naming(["sign"]).hint.contains("--wait"))
    }
}
