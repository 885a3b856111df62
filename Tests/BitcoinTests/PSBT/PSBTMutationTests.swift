import Bitcoin
import ByteCodec
import TestSupport
import Testing

/// Damages every valid PSBT at random. Nothing may trap; what still parses must come back byte for byte, and every
/// fourth of these is then used in every way there is. Final scripts that are found right are so by Core's code, too.
@Suite struct PSBTMutationTests {
    private static let samples = Result { try PSBTVectors.allValid() }
    private static let shares = 0..<8
    private static let roundsOfShare = MatrixShare.rounds(25_000)

    @Test(arguments: shares) func damagedPSBTsAreRefusedOrComeBackByteForByte(share: Int) async throws {
        let verified = try await LongWork.run { try damage(share: share) }
        var jury = ScriptJury()
        for (psbt, input) in verified { #expect(jury.judge(psbt, input: input, under: [[]]) == [nil]) }
        if jury.count > 0 { try await jury.agree() }
    }

    /// - Returns: the inputs whose final scripts are found right.
    private func damage(share: Int) throws -> [(psbt: PSBT, input: Int)] {
        let samples = try Self.samples.get()
        #expect(samples.count == 45 + 62)
        var generator = SeededGenerator(for: "damagedPSBTs \(share)")
        var parsed = 0
        var verified: [(psbt: PSBT, input: Int)] = []
        for round in 0..<Self.roundsOfShare {
            let damaged = Self.damage(samples[round % samples.count], of: samples, using: &generator)
            guard let psbt = try? PSBT(serialized: damaged) else { continue }
            parsed += 1
            let isUnchanged = psbt.serialized() == damaged
            #expect(isUnchanged, "\(Hex.encode(damaged))")
            if parsed.isMultiple(of: 4) { verified += useEverything(of: psbt) }
        }
        // A test that never gets past the parser would test little.
        #expect(parsed > Self.roundsOfShare / 20)
        return verified
    }

    /// A flipped bit, a changed, added or missing byte, a cut, or a run of bytes doubled or taken from another PSBT.
    private static func damage(
        _ bytes: [UInt8], of samples: [[UInt8]], using generator: inout SeededGenerator
    ) -> [UInt8] {
        var damaged = bytes
        let place = Int.random(in: 0..<bytes.count, using: &generator)
        let run = place..<min(bytes.count, place + Int.random(in: 1...80, using: &generator))
        switch generator.next() % 8 {
        case 0...2: damaged[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
        case 3: damaged.removeSubrange(place...)
        case 4: damaged.insert(contentsOf: bytes[run], at: run.upperBound)
        case 5: damaged.removeSubrange(run)
        case 6:
            let other = samples[Int.random(in: samples.indices, using: &generator)]
            damaged.replaceSubrange(run, with: other.dropFirst(place).prefix(run.count))
        default: damaged = generator.damaged(bytes)
        }
        return damaged
    }

    /// Reads every typed property and plays every role, whatever comes of it.
    /// - Returns: the inputs whose final scripts are found right.
    private func useEverything(of psbt: PSBT) -> [(psbt: PSBT, input: Int)] {
        _ = (psbt.modifiableFlags, psbt.inputs.map(\.requiredTimeLockTime), psbt.inputs.map(\.requiredHeightLockTime))
        for input in psbt.inputs {
            _ = (input.nonWitnessUTXO?.output(at: 0), input.witnessUTXO, input.partialSignatures, input.sighashType)
            _ = (input.redeemScript, input.witnessScript, input.derivations, input.taprootDerivations)
            _ = (input.finalScriptSig, input.finalWitness, input.isFinal)
        }
        for output in psbt.outputs {
            _ = (output.redeemScript, output.witnessScript, output.derivations, output.taprootDerivations)
        }
        _ = (psbt.globalExtendedKeys.map(\.extendedPublicKey), psbt.isFinalized)
        let cache = SighashCache(psbt.unsignedTransaction)
        var finalized = psbt
        var verified: [Int] = []
        for index in psbt.inputs.indices {
            _ = try? psbt.sighashTypes(ofInput: index)
            _ = try? psbt.verifyPartialSignatures(ofInput: index, using: cache)
            _ = try? finalized.finalize(input: index, using: cache)
            if (try? finalized.verifyFinalScripts(ofInput: index, using: cache)) == .verified { verified.append(index) }
        }
        let found = verified.map { (psbt: finalized, input: $0) }
        _ = try? finalized.extractedTransaction()
        _ = try? psbt.combined(with: finalized)
        guard let other = try? psbt.converted(to: psbt.version == .v0 ? .v2 : .v0) else { return found }
        #expect(other.unsignedTransaction == psbt.unsignedTransaction)
        let isReadAgain = (try? PSBT(serialized: other.serialized()))?.unsignedTransaction == psbt.unsignedTransaction
        #expect(isReadAgain, "\(Hex.encode(psbt.serialized()))")
        _ = try? psbt.combined(with: other)
        _ = try? other.combined(with: finalized)
        return found
    }
}
