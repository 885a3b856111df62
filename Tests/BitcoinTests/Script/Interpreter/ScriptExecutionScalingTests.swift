import ByteCodec
import TestSupport
import Testing

@testable import Bitcoin

/// Scripts run in time that grows as they do: outside tapscript up to the bounds of consensus (10 000 bytes, 201
/// operations, 1 000 items), in tapscript, which has no bound but the weight, as far as can be measured.
@Suite struct ScriptExecutionScalingTests {
    private enum Form: CaseIterable {
        case bare, witnessV0, tapscript

        /// `limited` outside tapscript.
        func most(_ limited: Int) -> Int { self == .tapscript ? 1 << 17 : limited }
    }

    /// How many items lie on the stack where much is to be moved.
    private static let itemCount = 900
    private static let hashes = ["RIPEMD160", "SHA1", "SHA256", "HASH160", "HASH256"]
    /// R and S are 1: well encoded, and nobody's signature of anything; with its type ALL.
    private static let signature = "09300602010102010101"
    /// A key of one byte, under which nothing is verified: what is measured is all that comes before.
    private static let noKey = "0105"
    private static let longItem = "4d0802" + String(repeating: "61", count: 520)

    private let key: String

    init() throws { key = "21" + Hex.encode(try BIP137Tests.key(3).publicKey.bytes) }

    /// Bytes in hexadecimal, once or so often.
    private func bytes(_ text: String, _ count: Int = 1) throws -> [UInt8] {
        let piece = try Hex.decode(text)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count * piece.count)
        for _ in 0..<count { bytes += piece }
        return bytes
    }

    /// Operations by their names, so often.
    private func operations(_ text: String, _ count: Int = 1) throws -> [UInt8] {
        try bytes(Hex.encode(ScriptAssembly.script(text).bytes), count)
    }

    /// An output of a script, and an input that opens it.
    private func verifier(_ script: [UInt8], _ form: Form) throws -> SpendVerifier {
        let scriptPubKey: Script
        var witness: [[UInt8]] = [script]
        switch form {
        case .bare: (scriptPubKey, witness) = (Script(script), [])
        case .witnessV0: scriptPubKey = .p2wsh(Script(script))
        case .tapscript:
            let internalKey = Array(try BIP137Tests.key(3).publicKey.bytes.dropFirst())
            let leaf = TaprootLeaf.hash(version: 0xC0, script: script)
            let output = try TaprootOutputKey.tweak(internalKey: internalKey, merkleRoot: leaf)
            scriptPubKey = .p2tr(try TaprootOutputKey(internalKey: internalKey, merkleRoot: leaf))
            witness.append([output.isOdd ? 0xC1 : 0xC0] + internalKey)
        }
        let id = try #require(TransactionID([UInt8](repeating: 1, count: 32)))
        let input = TransactionInput(outpoint: Outpoint(transactionID: id, index: 0), witness: witness)
        return try #require(
            SpendVerifier(
                Transaction(inputs: [input], outputs: []),
                spentOutputs: [TransactionOutput(amount: .zero, scriptPubKey: scriptPubKey)]))
    }

    private func expectLinear(
        _ what: String, _ form: Form, from start: Int = 8, upTo most: Int,
        sourceLocation: SourceLocation = #_sourceLocation, _ script: (Int) throws -> [UInt8]
    ) throws {
        try Scaling.expectLinear("\(what), \(form)", from: start, upTo: most, sourceLocation: sourceLocation) { size in
            try verifier(script(size), form)
        } work: { verifier in
            var verifier = verifier
            try verifier.verify(input: 0)
        }
    }

    // MARK: Without signatures

    @Test func conditions() throws {
        for form in Form.allCases {
            try expectLinear("nested conditions", form, upTo: form.most(100)) { size in
                try operations("1 IF", size) + operations("ENDIF", size) + operations("1")
            }
            try expectLinear("nested conditions that are not run", form, upTo: form.most(99)) { size in
                try operations("0 IF") + operations("IF", size) + operations("ENDIF", size) + operations("ENDIF 1")
            }
            try expectLinear("branches", form, upTo: form.most(196)) { size in
                try operations("1 1 IF") + operations("ELSE", size) + operations("ENDIF")
            }
            try expectLinear("bytes that are not run", form, from: 64, upTo: form.most(9_900)) { size in
                try operations("0 IF") + operations("1", size) + operations("ENDIF 1")
            }
            try expectLinear("pushes that are not run", form, from: 64, upTo: form.most(3_300)) { size in
                try operations("0 IF") + bytes("020102", size) + operations("ENDIF 1")
            }
        }
    }

    @Test func items() throws {
        for form in Form.allCases {
            try expectLinear("pushes and drops", form, upTo: form.most(200)) { size in
                try operations("1 DROP", size) + operations("1")
            }
            try expectLinear("copies and drops", form, upTo: form.most(100)) { size in
                try operations("1") + operations("DUP DROP", size)
            }
            try expectLinear("sums", form, upTo: form.most(100)) { size in
                try operations("1") + operations("1ADD 1SUB", size)
            }
        }
        try expectLinear("items", .bare, upTo: 1_000) { try operations("1", $0) }
        try expectLinear("long pushes", .tapscript, upTo: 1 << 13) { size in
            try bytes(Self.longItem + "75", size) + operations("1")
        }
        // What lies deep is moved with all above it, of which there are so many at most.
        for (form, start, most) in [(Form.bare, 12, 100), (.tapscript, 128, 1 << 12)] {
            let drops = form == .bare ? [] : try operations("2DROP", Self.itemCount / 2)
            for word in ["ROLL", "PICK DROP"] {
                try expectLinear("deep items, \(word)", form, from: start, upTo: most) { size in
                    try operations("1", Self.itemCount + 1) + operations("\(Self.itemCount) \(word)", size) + drops
                }
            }
        }
    }

    @Test(arguments: hashes) func hash(_ name: String) throws {
        for form in Form.allCases {
            try expectLinear(name, form, upTo: form == .tapscript ? 1 << 13 : 66) { size in
                try bytes(Self.longItem) + operations("DUP \(name) DROP", size) + operations("DROP 1")
            }
        }
    }

    // MARK: With signatures

    /// Each check behind another `OP_CODESEPARATOR` is over another part of the script, and so has a digest of its own.
    @Test func separators() throws {
        for form in [Form.bare, .witnessV0] {
            let script = { (checks: Int, padding: Int) in
                try bytes(Self.signature + Self.noKey) + operations("CODESEPARATOR 2DUP CHECKSIG DROP", checks)
                    + operations("2DROP 0 IF") + bytes("020102", padding) + operations("ENDIF 1")
            }
            try expectLinear("checks behind separators", form, from: 6, upTo: 48) { try script($0, 3_200) }
            try expectLinear("bytes behind separators", form, from: 400, upTo: 3_200) { try script(48, $0) }
        }
        try expectLinear("separators", .tapscript, upTo: 1 << 17) { size in
            try operations("CODESEPARATOR", size) + operations("1")
        }
    }

    /// Scripts without witness are covered without the signatures that stand in them.
    @Test func signaturesInTheScript() throws {
        for (what, piece, most) in [
            ("signatures", Self.signature, 900), ("what is nearly the signature", Self.signature.dropLast() + "2", 900),
            ("empty signatures", "00", 9_000),
        ] {
            let script = { (checks: Int, count: Int) in
                try bytes(piece == "00" ? piece : Self.signature) + bytes(Self.noKey)
                    + operations("2DUP CHECKSIG DROP", checks) + operations("2DROP 0 IF") + bytes(piece, count)
                    + operations("ENDIF 1")
            }
            try expectLinear("\(what) in a script", .bare, from: most / 8, upTo: most) { try script(60, $0) }
            try expectLinear("checks with \(what) in a script", .bare, from: 7, upTo: 60) { try script($0, most) }
        }
    }

    @Test func multisigs() throws {
        for form in [Form.bare, .witnessV0] {
            try expectLinear("keys of a multisig", form, from: 1, upTo: 20) { size in
                try operations("0") + bytes(Self.signature) + operations("1") + bytes(key, size)
                    + operations("\(size) CHECKMULTISIG DROP 1")
            }
            try expectLinear("multisigs", form, from: 1, upTo: 9) { size in
                try bytes("00" + Self.signature + "51" + String(repeating: key, count: 20) + "0114ae75", size)
                    + operations("1")
            }
        }
    }

    @Test func tapscriptChecks() throws {
        let key = "20" + self.key.dropFirst(4)
        try expectLinear("checks without signature", .tapscript, upTo: 1 << 15) { size in
            try bytes("00\(key)ac75", size) + operations("1")
        }
        try expectLinear("additions without signature", .tapscript, upTo: 1 << 15) { size in
            try bytes("0000\(key)ba75", size) + operations("1")
        }
        // Keys of a type without rules: nothing is verified, but each check is paid for with bytes of the witness.
        try expectLinear("checks of unknown keys", .tapscript, upTo: 1 << 15) { size in
            try bytes("30" + String(repeating: "61", count: 48) + "75ab5151ad", size) + operations("1")
        }
        try expectLinear("operations before one that lets all pass", .tapscript, upTo: 1 << 17) { size in
            try operations("1", size) + bytes("50")
        }
    }
}
