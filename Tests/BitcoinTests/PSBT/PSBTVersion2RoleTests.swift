import Bitcoin
import TestSupport
import Testing

/// What is done with a PSBT of version 2 comes to the same as with the one of version 0.
@Suite struct PSBTVersion2RoleTests {
    @Test(arguments: SpendingForm.allCases) func everyFormIsSignedFinalizedAndVerified(form: SpendingForm) async throws
    {
        var psbts = [try SpendingForm.unsignedPSBT([form, form])]
        psbts.append(try PSBT(serialized: psbts[0].converted(to: .v2).serialized()))
        for index in psbts.indices {
            for input in 0..<2 {
                for key in try form.keys() { try psbts[index].sign(input, as: form, with: key) }
            }
        }
        #expect(psbts[1].version == .v2)
        #expect(try psbts[1].converted(to: .v0).serialized() == psbts[0].serialized())
        let cache = SighashCache(psbts[1].unsignedTransaction)
        for input in 0..<2 { try psbts[1].verifyPartialSignatures(ofInput: input, using: cache) }
        #expect(psbts[1].modifiableFlags == nil)

        for index in psbts.indices { #expect(try psbts[index].finalizeInputs() == [.finalized, .finalized]) }
        let final = try PSBT(serialized: psbts[1].serialized())
        #expect(final.version == .v2)
        #expect(try final.converted(to: .v0).serialized() == psbts[0].serialized())
        try await final.expectVerified()
        #expect(try final.extractedTransaction() == psbts[0].extractedTransaction())
        #expect(final.inputs.allSatisfy { $0.map.value(PSBTInputType.previousTransactionID.rawValue) != nil })
    }

    @Test func aSignatureCoversTheLockTimeThatIsDetermined() async throws {
        let form = SpendingForm.p2wpkh
        let unsigned = try SpendingForm.unsignedPSBT([form])
        var psbt = try unsigned.converted(to: .v2)
        // The PSBT again, with a height that the input needs, which its signature has to cover; tests' nodes have it.
        let height = Version2Sample.bytes(UInt32(109))
        let records = psbt.inputs[0].map.records
        let sequence = try #require(records.first { $0.type == PSBTInputType.sequence.rawValue })
        let needle = [1, UInt8(sequence.type), 4] + Array(sequence.value)
        var bytes = psbt.serialized()
        let place = try #require(bytes.firstRange(of: needle))
        bytes.insert(contentsOf: [1, 0x12, 4] + height, at: place.upperBound)
        psbt = try PSBT(serialized: bytes)
        #expect(unsigned.unsignedTransaction.lockTime < 109 && psbt.unsignedTransaction.lockTime == 109)
        try psbt.sign(0, as: form, with: form.keys()[0])
        #expect(try psbt.finalizeInputs() == [.finalized])
        #expect(psbt.inputs[0].requiredHeightLockTime == 109)
        #expect(try psbt.extractedTransaction().lockTime == 109)
        try await psbt.expectVerified()
    }

    @Test func versionsAreCombined() async throws {
        let form = SpendingForm.p2wshMultisig
        let keys = try form.keys()
        let unsigned = try SpendingForm.unsignedPSBT([form, .p2wpkh])
        var (zero, two) = (unsigned, try unsigned.converted(to: .v2))
        try zero.sign(0, as: form, with: keys[0])
        try two.sign(0, as: form, with: keys[2])
        try two.sign(1, as: .p2wpkh, with: keys[0])

        let intoZero = try zero.combined(with: two)
        let intoTwo = try two.combined(with: zero)
        #expect(intoZero.version == .v0)
        #expect(intoTwo.version == .v2)
        #expect(intoZero.serialized() == (try intoTwo.converted(to: .v0).serialized()))
        #expect(intoTwo.serialized() == (try intoZero.converted(to: .v2).serialized()))
        #expect(intoTwo.inputs[0].partialSignatures.count == 2)
        #expect(try zero.combined(with: try two.converted(to: .v0)).serialized() == intoZero.serialized())
        #expect(try two.combined(with: try zero.converted(to: .v2)).serialized() == intoTwo.serialized())
        var finals: [PSBT] = []
        for psbt in [intoZero, intoTwo] {
            #expect(try PSBT(serialized: psbt.serialized()).serialized() == psbt.serialized())
            var final = psbt
            #expect(try final.finalizeInputs() == [.finalized, .finalized])
            finals.append(final)
        }
        try await PSBT.expectVerified(finals)
        var other = unsigned.unsignedTransaction
        other.lockTime += 1
        let stranger = try PSBT(unsignedTransaction: other)
        #expect(throws: PSBTError.otherTransaction(other.id)) { try two.combined(with: stranger) }
        #expect(throws: PSBTError.otherTransaction(other.id)) { try zero.combined(with: stranger.converted(to: .v2)) }
    }

    @Test func randomOnesAreCombinedAcrossVersions() throws {
        var generator = SeededGenerator()
        for _ in 0..<60 {
            let psbt = try PSBTConvertingTests.random(using: &generator)
            let two = try psbt.converted(to: .v2)
            #expect(try psbt.combined(with: two).serialized() == psbt.serialized())
            #expect(try two.combined(with: psbt).serialized() == two.serialized())
        }
    }

    @Test func contradictionsAreNamedInTheOtherVersion() throws {
        var one = try SpendingForm.unsignedPSBT([.p2wpkh])
        let two = try one.converted(to: .v2)
        one[input: 0].witnessUTXO?.value += 1
        #expect(throws: PSBTError.conflict(.init(.input(0), 0x01))) { try one.combined(with: two) }
        #expect(throws: PSBTError.conflict(.init(.input(0), 0x01))) { try two.combined(with: one) }
    }

    /// Of two with the same lock time, each by other fields.
    @Test func lockTimesAreCombined() throws {
        let both = try Version2Sample(fallback: 9, demands: [(100, nil), (50, nil)]).psbt()
        let plain = try Version2Sample(fallback: 100, demands: [(nil, nil), (nil, nil)]).psbt()
        let first = try Version2Sample(demands: [(100, nil), (nil, nil)]).psbt()
        let second = try Version2Sample(demands: [(nil, nil), (100, 600_000_000)]).psbt()
        let all = [both, plain, first]
        for one in all {
            for other in all {
                let combined = try one.combined(with: other)
                #expect(combined.unsignedTransaction.lockTime == 100)
                let read = try PSBT(serialized: combined.serialized())
                #expect(read.unsignedTransaction == one.unsignedTransaction)
                #expect(combined.contents == (try other.combined(with: one).contents))
            }
        }
        let combined = try first.combined(with: second)
        #expect(combined.inputs.map(\.requiredHeightLockTime) == [100, 100])
        #expect(try PSBT(serialized: combined.serialized()).unsignedTransaction == first.unsignedTransaction)

        // Both are locked by time, as one input each leaves no height; together they would be by height.
        let one = try Version2Sample(demands: [(nil, 600_000_000), (5, 600_000_000)]).psbt()
        let other = try Version2Sample(demands: [(5, 600_000_000), (nil, 600_000_000)]).psbt()
        #expect(one.unsignedTransaction == other.unsignedTransaction)
        #expect(throws: PSBTError.conflict(.init(.input(0), 0x12))) { try one.combined(with: other) }
        #expect(throws: PSBTError.conflict(.init(.input(1), 0x12))) { try other.combined(with: one) }
    }
}
