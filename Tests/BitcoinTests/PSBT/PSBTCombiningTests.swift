import Bitcoin
import ByteCodec
import TestSupport
import Testing

@Suite struct PSBTCombiningTests {
    private static let form = SpendingForm.p2wshMultisig

    @Test func everyPSBTCombinedWithItselfIsItself() throws {
        for bytes in try PSBTVectors.allValid() {
            let psbt = try PSBT(serialized: bytes)
            #expect(try psbt.combined(with: psbt).serialized() == bytes)
        }
    }

    @Test func theOrderOfCombiningMakesNoDifference() throws {
        let unsigned = try SpendingForm.unsignedPSBT([Self.form, .p2shMultisig, .p2wpkh])
        var generator = SeededGenerator()
        for _ in 0..<20 {
            let parts = try (0..<4).map { _ in try part(of: unsigned, using: &generator) }
            let combined = try parts.dropFirst().reduce(parts[0]) { try $0.combined(with: $1) }
            let shuffled = parts.shuffled(using: &generator)
            let otherwise = try shuffled.dropFirst().reduce(shuffled[0]) { try $0.combined(with: $1) }
            #expect(combined.serialized() == otherwise.serialized())
            #expect(try combined.combined(with: parts[2]).serialized() == combined.serialized())
            for part in parts {
                for (all, some) in zip(combined.contents, part.contents) { #expect(all.isSuperset(of: some)) }
            }
            #expect(try PSBT(serialized: combined.serialized()).serialized() == combined.serialized())
        }
    }

    /// A PSBT with some of the signatures and a few fields that nobody knows.
    private func part(of psbt: PSBT, using generator: inout SeededGenerator) throws -> PSBT {
        var part = psbt
        for (index, form) in [Self.form, .p2shMultisig, .p2wpkh].enumerated() {
            for key in try form.keys() where Bool.random(using: &generator) {
                try part.sign(index, as: form, with: key)
            }
        }
        var records: [UInt8] = []
        for number in UInt8(0)..<20 where Bool.random(using: &generator) { records += [2, 0x99, number, 1, number] }
        let bytes = part.serialized()
        return try PSBT(serialized: Array(bytes.dropLast()) + records + [0])
    }

    @Test func theSmallerOfTwoSignaturesStays() throws {
        var one = try SpendingForm.unsignedPSBT([.p2wpkh])
        let key = try SpendingForm.p2wpkh.keys()[0]
        try one.sign(0, as: .p2wpkh, with: key)
        var other = one
        let digest = try one.spending(ofInput: 0).digest(.all, using: SighashCache(one.unsignedTransaction))
        let again = try key.sign(digest: digest, extraEntropy: [UInt8](repeating: 7, count: 32))
        other.addPartialSignature(PartialSignature(again, by: key.publicKey), toInput: 0)
        #expect(one.serialized() != other.serialized())
        let combined = try one.combined(with: other)
        #expect(combined.serialized() == (try other.combined(with: one).serialized()))
        let values = [one, other].map { $0.inputs[0].partialSignatures[0].signature }
        #expect(
            combined.inputs[0].partialSignatures.map(\.signature) == [values.min { $0.lexicographicallyPrecedes($1) }])
    }

    @Test func thePreviousTransactionGoesWithItsRecord() throws {
        let vector = try PSBTVectors.psbt("p2pkh-outputs-empty")
        let transaction = try Transaction(serialized: try #require(vector.inputs[0].nonWitnessUTXO).bytes)
        var stripped = vector
        stripped[input: 0].nonWitnessUTXO = try PreviousTransaction(
            serialized: transaction.serialized(.withoutWitnesses)[...])
        var none = vector
        none[input: 0].nonWitnessUTXO = nil
        for (one, other) in [(vector, stripped), (stripped, vector), (none, vector), (vector, none)] {
            let combined = try one.combined(with: other)
            #expect(combined.serialized() == vector.serialized())
            #expect(combined.inputs[0].nonWitnessUTXO == vector.inputs[0].nonWitnessUTXO)
        }
    }

    @Test func contradictionsAreRefused() throws {
        let psbt = try SpendingForm.unsignedPSBT([Self.form])
        let changes: [(PSBTInputType, (inout PSBT.Input) -> Void)] = [
            (.witnessUTXO, { $0.witnessUTXO?.value += 1 }),
            (.sighashType, { $0.sighashType = SighashType.none }),
            (.redeemScript, { $0.redeemScript = Script([1]) }),
            (.witnessScript, { $0.witnessScript = Script([1]) }),
            (
                .derivation,
                { input in
                    let key = input.derivations[0].publicKey
                    input.addDerivation(
                        KeyDerivation(
                            publicKey: key, fingerprint: .zero, path: DerivationPath([ChildNumber(rawValue: 1)])))
                }
            ),
        ]
        for (type, change) in changes {
            var (one, other) = (psbt, psbt)
            one[input: 0].sighashType = .all
            one[input: 0].redeemScript = Script()
            change(&other[input: 0])
            let error = PSBTError.conflict(.init(.input(0), type.rawValue))
            #expect(throws: error) { try one.combined(with: other) }
            #expect(throws: error) { try other.combined(with: one) }
        }

        let (one, other) = (FaultyRecord.psbt(output: [1, 0, 1, 1]), FaultyRecord.psbt(output: [1, 0, 1, 2]))
        #expect(throws: PSBTError.conflict(.init(.output(0), 0))) {
            try PSBT(serialized: one).combined(with: try PSBT(serialized: other))
        }
    }

    @Test func fieldsThatNobodyKnowsNeverContradict() throws {
        let one = try PSBT(serialized: FaultyRecord.psbt(global: [1, 0x99, 1, 9], output: [3, 0xFC, 0, 0, 1, 9]))
        let other = try PSBT(serialized: FaultyRecord.psbt(global: [1, 0x99, 2, 8, 8], output: [3, 0xFC, 0, 0, 1, 8]))
        let smaller = FaultyRecord.psbt(global: [1, 0x99, 2, 8, 8], output: [3, 0xFC, 0, 0, 1, 8])
        #expect(try one.combined(with: other).serialized() == smaller)
        #expect(try other.combined(with: one).serialized() == smaller)
    }

    @Test func otherTransactionsAreRefused() throws {
        let (one, other) = (try PSBTVectors.psbt("combiner"), try PSBTVectors.psbt("unknown-a"))
        #expect(throws: PSBTError.otherTransaction(other.unsignedTransaction.id)) { try one.combined(with: other) }
    }

    @Test func theFormOfTheFirstFileStays() throws {
        let text = try PSBTVectors.psbt("signer-1")
        let binary = try PSBT(fileContent: try PSBTVectors.row("signer-2").psbtBytes())
        #expect(try text.combined(with: binary).fileForm == .base64)
        #expect(try binary.combined(with: text).fileForm == .binary)
    }
}
