import ByteCodec
import TestSupport
import Testing

@testable import Bitcoin

/// The limits of tapscript are others than those of P2WSH, and what is not miniscript there is not read.
@Suite struct TapscriptLimitTests {
    private typealias Expression = Miniscript<Int>

    private func key(_ number: Int) throws -> Expression {
        try Expression(.wrapped(.check, Expression(.pkK(number), in: .tapscript)), in: .tapscript)
    }

    private func multi(_ count: Int, from first: Int = 0) throws -> Expression {
        try Expression(.multiA(1, Array(first..<first + count)), in: .tapscript)
    }

    private func both(_ one: Expression, _ other: Expression) throws -> Expression {
        try Expression(.andB(one, Expression(.wrapped(.alternateStack, other), in: .tapscript)), in: .tapscript)
    }

    /// More than 201 operations, more than 100 items, more than 3 600 bytes: as Bitcoin Core's `fixed_tests` have it.
    @Test(arguments: [99, 110, 200]) func largerThanAnyWitnessScript(_ count: Int) throws {
        let text = try (1..<count).reduce("pk(\(try hexadecimal(count)))") {
            "and_b(pk(\(try hexadecimal($1))),a:\($0))"
        }
        let expression = try Miniscript(text, in: .tapscript)
        #expect(expression.fault == nil)
        let cost = try #require(expression.resources.satisfaction)
        #expect(expression.resources.operations + cost.operations == count + (count - 1) * 3)
        #expect(cost.items == count && expression.largestStack == count + 1)
        let script = expression.script { .key($0) }
        #expect(Miniscript<ScriptKey>(script, in: .tapscript)?.fault == nil)
        #expect(Miniscript<ScriptKey>(script, in: .tapscript)?.keys.count == count)
        if let narrow = try? Miniscript(text) { #expect(narrow.fault != nil) }
    }

    private func hexadecimal(_ number: Int) throws -> String {
        let secret = SHA256.hash([UInt8(number)])
        return Hex.encode(try PrivateKey(SecretBytes(secret)).publicKey.bytes)
    }

    /// Bitcoin Core reads them as deep as the stack allows; tapkit and rust-miniscript do not.
    @Test func deepExpressionsAreRefused() throws {
        let deep = String(repeating: "and_b(older(1),a:", count: 998)
        #expect(throws: MiniscriptError.tooDeep) { try Miniscript(deep + "0", in: .tapscript) }
        let script = Script([0x51, 0xB2] + (0..<500).flatMap { _ in [0x6B, 0x51, 0x6C, 0x9A] as [UInt8] })
        #expect(Miniscript<ScriptKey>(script, in: .tapscript)?.depth == nil)
    }

    @Test func theStackHoldsAThousandItems() throws {
        // One item for each key, and one key above them.
        let fits = try both(multi(499), multi(500, from: 499))
        #expect(fits.largestStack == 1_000 && fits.fault == nil)
        let large = try both(multi(500), multi(500, from: 500))
        #expect(large.largestStack == 1_001 && large.fault == .tooManyStackItems(1_001))
        #expect(try multi(999).fault == nil)
        #expect(throws: MiniscriptError.tooManyKeys(1_000, limit: 999)) { try multi(1_000) }
        // Of alternatives, only one counts.
        let either = try (1...8).reduce(multi(900)) {
            try Expression(.orI($0, multi(900, from: $1 * 900)), in: .tapscript)
        }
        #expect(either.fault == nil && either.largestStack == 908)
    }

    @Test func scriptsFitIntoATransaction() throws {
        #expect(MiniscriptContext.tapscript.maximumScriptLength == 329_482)
        let large = try (1...9).reduce(multi(999)) {
            try Expression(.orI($0, multi(999, from: $1 * 999)), in: .tapscript)
        }
        #expect(large.resources.scriptLength > 329_482)
        #expect(large.fault == .scriptTooLong(large.resources.scriptLength, limit: 329_482))
    }

    /// What is too large takes no memory: reading ends where the script would be too long.
    @Test func readingEnds() throws {
        let part = ",s:pk(\(try hexadecimal(1)))"
        let wide = "thresh(1,pk(\(try hexadecimal(2)))" + String(repeating: part, count: 2_000) + ")"
        #expect(throws: MiniscriptError.tooManyParts(1_000)) { try Miniscript(wide, in: .tapscript) }
        let some = "thresh(1,pk(\(try hexadecimal(2)))" + String(repeating: part, count: 900) + ")"
        let many = "thresh(1,\(some)" + String(repeating: ",a:\(some)", count: 900) + ")"
        let error = #expect(throws: MiniscriptError.self) { try Miniscript(many, in: .tapscript) }
        guard case .scriptTooLong(let length, limit: 329_482)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(length <= 329_482 + 100)
    }

    /// Bitcoin Core, `miniscript_tests.cpp`: no key at all, none before CHECKSIGADD, none before CHECKSIG, and what is not
    /// written in the shortest way.
    @Test(arguments: [
        "ac519c", "ba20c6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5ba519c",
        "ac2079be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798"
            + "ac20c6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5ba519c",
        "0000210232780000feff00ffffffffffff21ff005f00ae21ae00000000060602060406564c2102320000060900fe00005f00ae21ae0010"
            + "0000060606060606000000000000000000000000000000000000000000000000000000000000000000",
        "2103a0434d9e47f3c86235477c7b1ae6ae5d3442d49b1943c2b752a68e2a47e247c7ac6951",
        "20a0434d9e47f3c86235477c7b1ae6ae5d3442d49b1943c2b752a68e2a47e247c7ac6951",
    ])
    func whatIsNotMiniscriptIsNotRead(_ script: String) throws {
        #expect(Miniscript<ScriptKey>(Script(try Hex.decode(script)), in: .tapscript) == nil)
    }

    /// Each context has its own multisig and its own length of keys.
    @Test func contextsAreApart() throws {
        let (one, other) = (try hexadecimal(1), try hexadecimal(2))
        #expect(throws: MiniscriptError.unknownName("multi_a")) { try Miniscript("multi_a(1,\(one),\(other))") }
        #expect(throws: MiniscriptError.unknownName("multi")) {
            try Miniscript("and_v(v:multi(1,\(one),\(other)),1)", in: .tapscript)
        }
        #expect(throws: MiniscriptError.unknownName("multi")) { try Expression(.multi(1, [1]), in: .tapscript) }
        let leaf = try key(1)
        #expect(throws: MiniscriptError.type("v:")) { try Expression(.wrapped(.verify, leaf)) }
        for text in ["pk(\(one))", "and_v(v:pkh(\(one)),pk(\(other)))"] {
            let witnessScript = try Miniscript(text).script { .key($0) }
            let tapscript = try Miniscript(text, in: .tapscript).script { .key($0) }
            #expect(Miniscript<ScriptKey>(witnessScript, in: .tapscript) == nil)
            #expect(Miniscript<ScriptKey>(tapscript) == nil)
        }
    }
}
