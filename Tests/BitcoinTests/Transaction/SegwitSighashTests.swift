import Bitcoin
import ByteCodec
import TestSupport
import Testing

@Suite struct SegwitSighashTests {
    private static let file = "bips/bip143.json"

    @Test func everyRowIsHere() throws {
        #expect(try Vectors.load(Self.file).countsByKind == ["sighash": 14, "swapped_pairs": 1])
    }

    @Test func digestsAndSignaturesAreThoseOfBIP143() throws {
        var signatures = 0
        for row in try Vectors.load(Self.file, kinds: ["sighash"]) {
            let digest = try digest(row, transaction: "unsigned_tx")
            #expect(digest == (try row.digest("sighash")), "\(row.testDescription)")
            // Neither scripts nor witnesses of the inputs matter.
            #expect(try self.digest(row, transaction: "signed_tx") == digest, "\(row.testDescription)")
            #expect(Digest(doubleHashing: try row.bytes("preimage")) == digest, "\(row.testDescription)")
            guard row["signature", as: String.self] != nil else { continue }
            signatures += 1
            let key = try PublicKey(try row.bytes("public_key"))
            let bytes = try row.bytes("signature")
            let signature = try #require(ECDSASignature(der: bytes.dropLast()))
            #expect(bytes.last == (try sighashType(row).byte))
            // One row's S is high on purpose.
            #expect(signature.hasLowS != (try row.flag("high_s")))
            #expect(key.isValid(signature, for: digest) == signature.hasLowS, "\(row.testDescription)")
            guard row["private_key", as: String.self] != nil else { continue }
            let privateKey = try PrivateKey(SecretBytes(try row.bytes("private_key")))
            #expect(privateKey.publicKey == key)
            if row["signature_is_rfc6979", as: Bool.self] == true {
                #expect(privateKey.sign(digest: digest) == signature, "\(row.testDescription)")
            }
        }
        #expect(signatures == 13)
    }

    /// Two of the examples spend a bare key beside the witness: their signatures are made the old way.
    @Test func legacyInputsBesideWitnessesVerify() throws {
        var count = 0
        for row in try Vectors.load(Self.file, kinds: ["sighash"]) {
            guard row.fields["other_input"] is [String: Any] else { continue }
            let other = try row.object("other_input")
            guard other["signature", as: String.self] != nil else { continue }
            count += 1
            let script = Script(try other.bytes("script_pubkey"))
            guard case .p2pk(let publicKey) = ScriptTemplate(script) else {
                Issue.record("\(row.testDescription) spends no bare key")
                continue
            }
            let cache = SighashCache(try Transaction(serialized: try row.bytes("unsigned_tx")))
            let digest = try cache.legacyDigest(input: try other.number("index"), scriptCode: script, type: .all)
            let signature = try #require(ECDSASignature(der: try other.bytes("signature").dropLast()))
            #expect(PublicKey.isValid(signature, for: digest, publicKey: publicKey), "\(row.testDescription)")
        }
        #expect(count == 2)
    }

    /// The two inputs are signed for themselves and their own output alone, so both pairs can change places.
    @Test func swappedPairsKeepTheirSignatures() throws {
        let rows = try Vectors.load(Self.file)
        let swapped = try #require(rows.first { $0.kind == "swapped_pairs" })
        let transaction = try Transaction(serialized: try swapped.bytes("signed_tx"))
        let pairs = try rows.filter { try $0.kind == "sighash" && $0.text("case") == swapped.text("case") }
        #expect(pairs.count == 2)
        for row in pairs {
            let outpoint = try row.bytes("outpoint")
            let index = try #require(
                transaction.inputs.firstIndex {
                    var bytes: [UInt8] = []
                    $0.outpoint.serialize(into: &bytes)
                    return bytes == outpoint
                })
            #expect(index != (try row.number("input_index")))
            let digest = try SighashCache(transaction).segwitV0Digest(
                input: index, scriptCode: Script(try row.bytes("script_code")), amount: try amount(row),
                type: sighashType(row))
            #expect(digest == (try row.digest("sighash")), "\(row.testDescription)")
            #expect(transaction.inputs[index].witness.first == (try row.bytes("signature")))
        }
    }

    @Test func onlyTheCoveredPartsMatter() throws {
        let original = LegacySighashTests.transaction(inputs: 3, outputs: 3)
        func digest(_ transaction: Transaction, _ type: SighashType) throws -> Digest {
            try SighashCache(transaction).segwitV0Digest(
                input: 1, scriptCode: Script([0x51]), amount: .zero, type: type)
        }
        func isSame(_ type: SighashType, after change: (inout Transaction) -> Void) throws -> Bool {
            var changed = original
            change(&changed)
            return try digest(original, type) == digest(changed, type)
        }
        for type in [SighashType.all, .none, .single] {
            #expect(try isSame(type) { $0.inputs[0].scriptSig = Script([0x52]) })
            #expect(try isSame(type) { $0.inputs[1].witness = [[1]] })
            #expect(try !isSame(type) { $0.inputs[1].sequence = 7 })
            #expect(try isSame(type) { $0.inputs[0].sequence = 7 } == (type != .all))
            #expect(try isSame(type) { $0.outputs[0].value += 1 } == (type != .all))
            #expect(try isSame(type) { $0.outputs[1].value += 1 } == (type == .none))
            #expect(try !isSame(type) { $0.inputs.removeLast() })
            #expect(try isSame(type.withAnyoneCanPay) { $0.inputs.removeLast() })
        }
        var amounts = Set<Digest>()
        for satoshis in 0..<3 {
            amounts.insert(
                try SighashCache(original).segwitV0Digest(
                    input: 1, scriptCode: Script(), amount: try #require(Amount(satoshis: satoshis)), type: .all))
        }
        #expect(amounts.count == 3)
    }

    private func digest(_ row: VectorRow, transaction: String) throws -> Digest {
        try SighashCache(try Transaction(serialized: try row.bytes(transaction))).segwitV0Digest(
            input: try row.number("input_index"), scriptCode: Script(try row.bytes("script_code")),
            amount: try amount(row), type: sighashType(row))
    }

    private func amount(_ row: VectorRow) throws -> Amount {
        try #require(Amount(satoshis: try row.number("amount")))
    }

    private func sighashType(_ row: VectorRow) throws -> SighashType {
        SighashType(rawValue: UInt32(try row.number("sighash_type")))
    }
}
