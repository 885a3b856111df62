import Testing

@testable import TapKitCLI

/// What the command-line parser says, as people read it.
@Suite struct ParserMessageTests {
    private func said(_ arguments: [String]) throws -> (lines: [String], hint: String) {
        let error = #expect(throws: (any Error).self) { _ = try TapkitCommand.parseAsRoot(arguments) }
        let message = TapkitCommand.message(for: try #require(error))
        return (
            ParserMessage.lines(message, repeating: arguments),
            ParserMessage.hint(message, verb: TapkitCommand.verb(of: arguments))
        )
    }

    @Test(arguments: [
        (["status", "extra"], "Unexpected argument 'extra'."), (["sign"], "Missing FILE."),
        (["tx", "create", "--wallet", "w"], "Missing --to ADDRESS=AMOUNT."),
        (["tx", "create", "--wallet"], "Missing NAME after --wallet."),
        (["sim", "new", "c", "--product"], "Missing PRODUCT after --product."),
        (["status", "Missing value for '<x>'"], "Unexpected argument 'Missing value for '<x>''."),
        (["status", "--slot", "3"], "Unknown option '--slot'."),
        (["status", "--xyz"], "Unknown option '--xyz'."),
    ])
    func itEndsLikeASentence(_ arguments: [String], _ line: String) throws {
        #expect(try said(arguments).lines == [line])
    }

    @Test func aQuestionStaysOne() throws {
        let lines = try said(["status", "--raeder", "pcsc"]).lines
        #expect(lines.count == 1 && lines[0].hasSuffix("Did you mean '--reader'?"))
    }

    /// A mistyped value is not only refused: the one that was probably meant stands before the list.
    @Test(arguments: [
        (["export", "sparow"], "sparrow"), (["export", "core", "--address-type", "p2wpk"], "p2wpkh"),
        (["message", "sign", "x", "--format", "bip138"], "bip137"),
    ])
    func aMistypedValueIsGuessed(_ arguments: [String], _ meant: String) throws {
        let lines = try said(arguments).lines
        #expect(lines[0].contains("' is invalid for '"))
        #expect(lines[0].contains("'. Did you mean “\(meant)”? Please provide one of "), "\(lines)")
    }

    @Test(arguments: ["xyz", "sparrow's ‘core’", "' is invalid for '"]) func nothingIsGuessedFromNothing(
        _ value: String
    ) throws {
        let lines = try said(["export", value]).lines
        #expect(lines.count > 1 && !lines[0].contains("Did you mean"), "\(lines)")
    }

    @Test(arguments: [
        (["status", "--xyz"], "See tapkit help status. tapkit help options lists those of every verb."),
        (["--xyz"], "See tapkit help. tapkit help options lists those of every verb."),
        (["tx", "show"], "See tapkit help tx show."),
        (["message", "verify", "a"], "See tapkit help message verify."),
        (["message", "verify", "a", "b"], "Put the message in quotes. See tapkit help message verify."),
    ])
    func theHintNamesTheHelp(_ arguments: [String], _ hint: String) throws {
        #expect(try said(arguments).hint == hint)
    }

    @Test func anArgumentStartsNoLine() throws {
        #expect(try said(["status", "a\nb"]).lines == ["Unexpected argument 'a\u{FFFD}b'."])
    }
}
