import ByteCodec
import TestSupport
import Testing

@testable import Bitcoin

@Suite struct SignedMessageTests {
    private static let message = Array("verdict".utf8)

    /// One bit of every byte of every valid signature: none verifies, but for the header that is tolerated in BIP-137 and
    /// for changes to what a PSBT says in excess.
    @Test func noFlippedSignatureVerifies() throws {
        var generator = SeededGenerator()
        var (flips, excess) = (0, 0)
        let signatures = try MessageVectors.validSignatures()
        #expect(signatures.count == 59)
        for (row, text) in signatures {
            let prefix = text.count % 4 == 3 ? String(text.prefix(3)) : ""
            let bytes = try Base64.decode(text.dropFirst(prefix.count))
            let original = try MessageVerdict(row, text)
            #expect(original.isValid)
            for index in bytes.indices {
                var flipped = bytes
                flipped[index] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
                flips += 1
                let verdict = try MessageVerdict(row, prefix + Base64.encode(flipped))
                guard let proof = verdict.proof else { continue }
                excess += 1
                if index == 0, verdict.format == .bip137, proof.hasP2PKHHeader {
                    // The same R and S of the same key; the header says P2PKH as Electrum would.
                    #expect(proof.publicKey == original.proof?.publicKey)
                    continue
                }
                #expect(prefix == "pof" && verdict == original, "\(row.testDescription) byte \(index)")
                let transactions = try [bytes, flipped].map { try PSBT(serialized: $0).extractedTransaction() }
                #expect(transactions.first == transactions.last, "\(row.testDescription) byte \(index)")
            }
            let other = SignedMessage.verify(
                message: Array(try row.text("message").utf8) + [0],
                address: try UncheckedAddress(parsing: row.text("address")), signature: text)
            #expect(!other.isValid)
        }
        #expect(flips > 8_000)
        #expect(excess < 30)
    }

    @Test func whiteSpaceAroundTheTextDoesNotCount() throws {
        for (row, text) in try MessageVectors.validSignatures() {
            #expect(try MessageVerdict(row, " \t\(text)\r\n").isValid)
            #expect(try !MessageVerdict(row, text.prefix(8) + " " + text.dropFirst(8)).isValid)
        }
    }

    @Test func cutTextsAreRefused() throws {
        for (row, text) in try MessageVectors.validSignatures() {
            for count in 0..<text.count where count % 7 == 0 || count > text.count - 8 {
                #expect(try !MessageVerdict(row, String(text.prefix(count))).isValid)
            }
        }
        #expect(verdict(.p2wsh(Script()), "").outcome == .invalid(.empty))
        #expect(verdict(.p2wsh(Script()), " \n").outcome == .invalid(.empty))
    }

    @Test func hugeSizesAreRefused() throws {
        let sizes: [[UInt8]] = [
            [0xFF] + [UInt8](repeating: 0xFF, count: 8), [0xFE, 0xFF, 0xFF, 0xFF, 0xFF], [0xFD, 0xFF, 0xFF],
            [1, 0xFF] + [UInt8](repeating: 0xFF, count: 8), [0xFD, 1, 0],
        ]
        for size in sizes {
            for prefix in ["smp", "ful", "pof", ""] {
                for front in [[], [2, 0, 0, 0], [2, 0, 0, 0, 0, 1], Array("psbt".utf8) + [0xFF]] {
                    let text = prefix + Base64.encode(front + size)
                    #expect(!verdict(.p2wsh(Script()), text).isValid)
                }
            }
        }
        let long = String(repeating: "A", count: SignedMessage.maximumTextLength + 1)
        #expect(verdict(Script(), long).outcome == .invalid(.tooLarge(limit: SignedMessage.maximumTextLength)))
        #expect(verdict(Script(), "foo" + "AA==").outcome != .invalid(.unknownFormat))
        #expect(verdict(Script(), "AAAA").outcome == .invalid(.unknownFormat))
    }

    @Test func anythingIsSurvived() throws {
        var generator = SeededGenerator()
        let signatures = try MessageVectors.validSignatures()
        for _ in 0..<3_000 {
            let (row, text) = try #require(signatures.randomElement(using: &generator))
            let prefix = text.count % 4 == 3 ? String(text.prefix(3)) : ""
            let bytes = generator.damaged(try Base64.decode(text.dropFirst(prefix.count)))
            for prefix in [prefix, ""] { _ = try MessageVerdict(row, prefix + Base64.encode(bytes)) }
        }
    }

    @Test func scriptsDecide() throws {
        func outcome(_ text: String, _ items: [[UInt8]] = []) throws -> MessageVerdict.Outcome {
            let script = try ScriptAssembly.script(text)
            return verdict(.p2wsh(script), Self.simple(items + [script.bytes])).outcome
        }
        #expect(verdict(.p2wsh(Script([0x51])), Self.simple([[0x51]])).isValid)
        #expect(try outcome("0") == .invalid(.script(input: 0, .evaluatedFalse)))
        #expect(try outcome("1 NOP10") == .inconclusive(.script(input: 0, .upgradableNop)))
        #expect(try outcome("0 NOP10") == .invalid(.script(input: 0, .evaluatedFalse)))
        #expect(try outcome("1 CODESEPARATOR") == .invalid(.script(input: 0, .codeSeparator)))
        #expect(try outcome("#0101") == .invalid(.script(input: 0, .notMinimal)))
        #expect(try outcome("IF 1 ENDIF", [[2]]) == .invalid(.script(input: 0, .conditionNotMinimal)))
        #expect(try outcome("1", [[1]]) == .invalid(.script(input: 0, .stackNotClean)))
        #expect(try outcome("5 CSV") == .invalid(.script(input: 0, .lockTimeNotReached)))
    }

    @Test func unknownWitnessProgramsAreInconclusive() throws {
        let programs = [
            try #require(Script.witness(version: 2, program: [UInt8](repeating: 1, count: 32))),
            try #require(Script.witness(version: 16, program: [1, 2])),
            try #require(Script.witness(version: 1, program: [0x4E, 0x73])),
        ]
        for program in programs {
            #expect(
                verdict(program, Self.simple([[1]])).outcome
                    == .inconclusive(.script(input: 0, .upgradableWitnessProgram)))
        }
    }

    @Test func nestedProgramsVerifyAsOldSignersWroteThem() throws {
        let key = try BIP137Tests.key(5)
        let script = Script.p2sh(.p2wpkh(key.publicKey))
        let toSign = BIP322.toSign(spending: BIP322.toSpend(message: Self.message, scriptPubKey: script))
        func text(_ type: SighashType) throws -> String {
            let digest = try SighashCache(toSign).segwitV0Digest(
                input: 0, scriptCode: .p2pkh(key.publicKey), amount: .zero, type: type)
            return Self.simple(
                [key.sign(digest: digest).der + [try #require(type.byte)], key.publicKey.bytes], prefix: "")
        }
        #expect(verdict(script, try text(.all)).isValid)
        // Version 2.0.0 has simple signatures for native programs only.
        #expect(!verdict(script, "smp" + (try text(.all))).isValid)
        for type in [SighashType.none, .single, .all.withAnyoneCanPay] {
            #expect(verdict(script, try text(type)).outcome == .invalid(.script(input: 0, .sighashType)))
        }
        #expect(!verdict(.p2sh(.p2wpkh(try BIP137Tests.key(6).publicKey)), try text(.all)).isValid)
    }

    @Test func transactionsMustHaveTheirForm() throws {
        let witnessScript = Script([0x51])
        let script = Script.p2wsh(witnessScript)
        var signed = BIP322.toSign(spending: BIP322.toSpend(message: Self.message, scriptPubKey: script))
        signed.inputs[0].witness = [witnessScript.bytes]
        func outcome(_ change: (inout Transaction) throws -> Void) rethrows -> MessageVerdict.Outcome {
            var changed = signed
            try change(&changed)
            return verdict(script, "ful" + Base64.encode(changed.serialized())).outcome
        }
        #expect(verdict(script, "ful" + Base64.encode(signed.serialized())).isValid)
        #expect(outcome { $0.version = 1 } == .inconclusive(.transactionVersion(1)))
        #expect(outcome { $0.version = 3 } == .inconclusive(.transactionVersion(3)))
        #expect(outcome { $0.outputs = [] } == .invalid(.outputs))
        #expect(outcome { $0.outputs += $0.outputs } == .invalid(.outputs))
        #expect(outcome { $0.outputs[0].value = 1 } == .invalid(.outputs))
        #expect(outcome { $0.outputs[0].scriptPubKey = Script([0x6A, 0x00]) } == .invalid(.outputs))
        #expect(outcome { $0.inputs += $0.inputs } == .invalid(.inputs))
        #expect(
            outcome { $0.inputs[0].outpoint = Outpoint(transactionID: $0.inputs[0].outpoint.transactionID, index: 1) }
                == .invalid(.otherMessageOrAddress))
        let other = Outpoint(transactionID: signed.id, index: 0)
        #expect(outcome { $0.inputs.append(TransactionInput(outpoint: other)) } == .inconclusive(.unknownFunds))
        #expect(
            outcome { $0.inputs.insert(TransactionInput(outpoint: other), at: 0) } == .invalid(.otherMessageOrAddress))
        #expect(
            outcome { $0.inputs[0].scriptSig = Script([0x51]) } == .invalid(.script(input: 0, .scriptSigBesideWitness)))
    }

    @Test func locksAreTold() throws {
        let witnessScript = Script([0x51])
        let script = Script.p2wsh(witnessScript)
        func locks(_ version: UInt32, _ lockTime: UInt32, _ sequence: UInt32) throws -> MessageLocks {
            var signed = BIP322.toSign(spending: BIP322.toSpend(message: Self.message, scriptPubKey: script))
            (signed.version, signed.lockTime, signed.inputs[0].sequence) = (version, lockTime, sequence)
            signed.inputs[0].witness = [witnessScript.bytes]
            return try #require(verdict(script, "ful" + Base64.encode(signed.serialized())).proof).locks
        }
        #expect(try locks(0, 0, 0).isEmpty)
        #expect(try locks(2, 499_999_999, 0).time == .blocks(499_999_999))
        #expect(try locks(2, 500_000_000, 0).time == .seconds(500_000_000))
        #expect(try locks(2, 0, 7).age == .blocks(7))
        #expect(try locks(2, 0, 0x0040_0007).age == .seconds(3_584))
        #expect(try locks(0, 0, 7).age == nil)
        #expect(try locks(2, 0, 0x8000_0007).age == nil)
    }

    /// A proof of funds is the same in both versions of PSBT.
    @Test func proofsOfFundsMayBeOfVersion2() throws {
        var count = 0
        for row in try MessageVectors.rows("bip322_proof_of_funds") {
            for signature in try row.texts("signatures") {
                let psbt = try PSBT(serialized: Base64.decode(signature.dropFirst(3)))
                let version2 = try psbt.converted(to: .v2)
                let text = Base64.encode(version2.serialized())
                let expected = try MessageVerdict(row, signature)
                #expect(expected.format == .bip322ProofOfFunds)
                #expect(expected.proof?.funds.isEmpty == false, "\(row.testDescription)")
                #expect(try MessageVerdict(row, "pof" + text) == expected)
                #expect(try MessageVerdict(row, text) == expected)
                var broken = version2
                broken[input: 0].finalWitness = nil
                broken[input: 0].finalScriptSig = nil
                let verdict = try MessageVerdict(row, "pof" + Base64.encode(broken.serialized()))
                #expect(verdict.outcome == .invalid(.notFinal(input: 0)))
                count += 1
            }
        }
        #expect(count == 3)
    }

    /// Proofs of funds whose parts contradict each other.
    @Test func brokenProofsOfFundsAreRefused() throws {
        for row in try MessageVectors.rows("bip322_proof_of_funds") {
            let psbt = try PSBT(serialized: Base64.decode(try #require(try row.texts("signatures").first).dropFirst(3)))
            func outcome(_ change: (inout PSBT) -> Void) throws -> MessageVerdict.Outcome {
                var changed = psbt
                change(&changed)
                return try MessageVerdict(row, "pof" + Base64.encode(changed.serialized())).outcome
            }
            let last = psbt.inputs.count - 1
            #expect(
                try outcome { _ in } == MessageVerdict(row, try #require(try row.texts("signatures").first)).outcome)
            #expect(try outcome { $0[input: last].witnessUTXO = nil } == .invalid(.spentOutput(input: last)))
            #expect(
                try outcome {
                    $0[input: last].finalWitness = nil
                    $0[input: last].finalScriptSig = nil
                } == .invalid(.notFinal(input: last)))
            #expect(try outcome { $0[input: last].witnessUTXO?.value += 1 }.isScriptFault)
            #expect(try outcome { $0[input: last].witnessUTXO?.value = -1 } == .invalid(.amounts))
            #expect(
                try outcome {
                    $0[input: 0].nonWitnessUTXO = nil
                    $0[input: 0].witnessUTXO = TransactionOutput(value: 1, scriptPubKey: Script())
                } == .invalid(.spentOutput(input: 0)))
        }
    }

    /// What is said of a fault is what the verdict is: nobody is told that a signature is false if it cannot be judged.
    private func verdict(_ script: Script, _ signature: String) -> MessageVerdict {
        let verdict = SignedMessage.verify(message: Self.message, scriptPubKey: script, signature: signature)
        switch verdict.outcome {
        case .valid: break
        case .invalid(let fault):
            switch fault {
            case .empty, .notBase64: #expect(fault.code == .badArgument)
            default: #expect(fault.code == .badSignature)
            }
        case .inconclusive(let fault): #expect(fault.code == .signatureInconclusive)
        }
        return verdict
    }

    private static func simple(_ witness: [[UInt8]], prefix: String = "smp") -> String {
        var bytes: [UInt8] = []
        bytes.appendWitnessStack(witness)
        return prefix + Base64.encode(bytes)
    }
}

extension MessageVerdict.Outcome {
    /// Of any input: under taproot every signature covers all amounts.
    fileprivate var isScriptFault: Bool {
        if case .invalid(.script) = self { true } else { false }
    }
}
