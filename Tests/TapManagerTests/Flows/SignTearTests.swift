import Bitcoin
import FlowSupport
import LyingCards
import Synchronization
import TapManager
import TapProtocol
import TapSimulator
import TestSupport
import Testing

/// The card taken away, or lying, at every exchange of signing.
@Suite struct SignTearTests {
    private static let kinds: [SampleWallet.Kind] = [.p2wpkh, .p2pkh, .p2wpkh, .p2shP2WPKH]

    private func psbt(_ bench: FlowBench, _ kinds: [SampleWallet.Kind] = kinds) throws -> PSBT {
        var recipe = SampleWallet.Recipe()
        recipe.kinds = kinds
        return try bench.wallet().psbt(recipe)
    }

    /// Every partial signature that there is verifies.
    private func signatureCount(_ psbt: PSBT) throws -> Int {
        let digests = SighashCache(psbt.unsignedTransaction)
        for index in psbt.inputs.indices { try psbt.verifyPartialSignatures(ofInput: index, using: digests) }
        return psbt.inputs.reduce(0) { $0 + $1.partialSignatures.count }
    }

    @Test func pulledAtEveryExchange() async throws {
        var generator = SeededGenerator()
        let original = try await FlowBench.ready(using: &generator)
        try await original.proveUsualAccounts()
        let psbt = try psbt(original)
        let undisturbed = try original.copy()
        #expect(try await undisturbed.sign(psbt).added == 4)
        let count = undisturbed.exchangeCount
        var cells = 0
        for number in 1...count {
            for moment in SinglePull.Moment.allCases {
                let cell: Comment = "exchange \(number), \(moment)"
                let patient = try original.copy()
                patient.watch.disturbance = SinglePull(atExchange: number, moment)
                let whole = try await patient.sign(psbt, patience: .limited(.seconds(20)))
                #expect(whole.interruption == nil, cell)
                #expect(whole.added == 4, cell)
                #expect(SigningResult(whole).transaction != nil, cell)
                #expect(whole.strandedPath == nil, cell)
                #expect(patient.record.path == original.record.path, cell)

                try await withoutPatience(try original.copy(), psbt, number, moment, cell)
                cells += 2
            }
        }
        print("sign: \(count) exchanges, \(cells) cells")
    }

    /// Four inputs of three accounts. What is in the store is not asked of the card again.
    @Test func everyTear() async throws {
        var generator = SeededGenerator()
        let bench = try await FlowBench.ready(using: &generator)
        try await bench.proveUsualAccounts()
        let psbt = try psbt(bench)
        let tear = Tear { driver, bench, run in
            let stored = try bench.storedSignatureCount(of: psbt)
            let asked = bench.reader.exchangeCounts["sign", default: 0]
            try await bench.signToTheEnd(psbt, driver)
            guard run > 1 else { return }
            #expect(bench.reader.exchangeCounts["sign", default: 0] - asked == 4 - stored)
        } check: { bench, cell in
            try await bench.expectComplete(psbt, cell)
            #expect(bench.reader.exchangeCounts["sign", default: 0] <= 5, "\(cell)")
            #expect(bench.record.path?.description == "m/84h/1h/0h", "\(cell)")
        }
        try await tear.run(on: bench, "sign four inputs of three accounts")
    }

    /// The first time: the card proves each of the three accounts on the way, once.
    @Test func everyTearOfTheFirstTime() async throws {
        var generator = SeededGenerator()
        let known = try await FlowBench.ready(using: &generator)
        let bench = try known.copy(store: MemoryStore())
        let psbt = try psbt(bench)
        let tear = Tear(recoveries: [.cardReturns, .killed]) { driver, bench, _ in
            try await bench.signToTheEnd(psbt, driver)
        } check: { bench, cell in
            try await bench.expectComplete(psbt, cell)
            // Four signatures and three probes, one of which may have been asked for twice.
            #expect(bench.reader.exchangeCounts["sign", default: 0] <= 8, "\(cell)")
            #expect(bench.record.path?.description == "m/84h/1h/0h", "\(cell)")
        }
        try await tear.run(on: bench, "sign for the first time")
    }

    private func withoutPatience(
        _ bench: FlowBench, _ psbt: PSBT, _ number: Int, _ moment: SinglePull.Moment, _ cell: Comment
    ) async throws {
        bench.watch.disturbance = SinglePull(atExchange: number, moment, returning: .byHand)
        let own = try DerivationPath(parsing: "m/84h/1h/0h")
        var partly = psbt
        do {
            let outcome = try await bench.sign(psbt)
            #expect(outcome.interruption?.isCardLost ?? (outcome.added == 4), cell)
            #expect(outcome.strandedPath != nil || bench.record.path == own, cell)
            if moment != .beforeCommand, let place = bench.record.path, place != own {
                #expect(outcome.strandedPath == place, cell)
            }
            partly = outcome.psbt
            #expect(try signatureCount(partly) == outcome.added, cell)
        } catch let error as FlowError {
            #expect(error.isCardLost, cell)
        }
        let present = try signatureCount(partly)
        bench.watch.disturbance = nil
        bench.reader.insert()
        bench.reader.resetCounts()
        let rest = try await bench.sign(partly)
        #expect(rest.interruption == nil, cell)
        #expect(rest.added == 4 - present, cell)
        #expect(bench.reader.exchangeCounts["sign", default: 0] == 4 - present, cell)
        #expect(SigningResult(rest).transaction != nil, cell)
    }

    /// Torn away twice as it came to the same account. Before the second time it was brought back to its own path, so whoever
    /// is told nothing would take it to be there still.
    @Test func aSecondTearIsToldToo() async throws {
        var generator = SeededGenerator()
        let bench = try await FlowBench.ready(using: &generator)
        try await bench.proveUsualAccounts()
        let (own, away) = (try #require(bench.record.path), try DerivationPath(parsing: "m/44h/1h/0h"))
        let psbt = try psbt(bench, [.p2wpkh, .p2pkh])
        // The card is gone as soon as it has come there, and its answer is lost.
        let before = Mutex(own)
        bench.watch.disturbance = FunctionInterceptor(onAnswer: { _, _ in
            guard let place = bench.record.path else { return .pass }
            let earlier = before.withLock { before in
                defer { before = place }
                return before
            }
            return place == away && earlier != away ? .pull(.byHand) : .pass
        })
        #expect(await expectFailure { try await bench.sign(psbt) }?.isCardLost == true)
        #expect(bench.record.path == away)
        bench.reader.insert()
        let outcome = try await bench.sign(psbt)
        #expect(outcome.interruption?.isCardLost == true && outcome.added == 1)
        #expect(bench.record.path == away)
        #expect(outcome.strandedPath == away)

        bench.watch.disturbance = nil
        bench.reader.insert()
        let rest = try await bench.sign(psbt)
        #expect(rest.interruption == nil && rest.added == 1 && rest.strandedPath == nil)
        #expect(bench.record.path == own)
    }

    /// What a lying card answers to `sign`.
    enum Lie: CaseIterable, Sendable {
        case otherKey, otherDigest
    }

    @Test(arguments: Lie.allCases) func aLyingCardGetsNothingIntoThePSBT(_ lie: Lie) async throws {
        var generator = SeededGenerator()
        let bench = try await FlowBench.ready(using: &generator)
        let psbt = try psbt(bench, [.p2wpkh])
        let digest = try psbt.spending(ofInput: 0).digest(.all, using: SighashCache(psbt.unsignedTransaction))
        let wallet = try bench.wallet()
        let path = try wallet.path(.p2wpkh, branch: 0, index: 0)
        let own = try wallet.master.descendant(path).privateKey
        let stranger = try SampleWallet(seed: 4).master.privateKey
        let key = lie == .otherKey ? stranger : own
        let signed = key.signGrindingLowR(digest: lie == .otherDigest ? Digest(hashing: [1]) : digest)
        bench.watch.disturbance = FunctionInterceptor(onAnswer: { answer, exchange in
            guard exchange.name == "sign", let place = answer.firstRange(of: Array("csig".utf8) + [0x58, 0x40]),
                let keyPlace = answer.firstRange(of: Array("fpubkey".utf8) + [0x58, 0x21])
            else { return .pass }
            var bent = answer
            bent.replaceSubrange(place.upperBound..<place.upperBound + 64, with: signed.compact)
            bent.replaceSubrange(keyPlace.upperBound..<keyPlace.upperBound + 33, with: key.publicKey.bytes)
            return .replace(bent)
        })
        let outcome = try await bench.sign(psbt)
        guard case .card(.badProof(let proof, _)) = outcome.interruption else {
            Issue.record("\(lie): \(String(describing: outcome.interruption))")
            return
        }
        let expected: Proof =
            switch lie {
            case .otherKey: .signingKey
            case .otherDigest: .signature
            }
        #expect(proof == expected)
        #expect(outcome.added == 0)
        #expect(outcome.psbt.serialized() == psbt.serialized())
    }

    @Test func alteredAnswersNeverBringABadSignature() async throws {
        var generator = SeededGenerator()
        let original = try await FlowBench.ready(using: &generator)
        let psbt = try psbt(original, [.p2wpkh, .p2wpkh])
        for _ in 0..<200 {
            let bench = try original.copy()
            let (number, place) = (Int.random(in: 6...7, using: &generator), Int(generator.next() % 1_000))
            let bit = UInt8(1) << UInt8(generator.next() % 8)
            bench.watch.disturbance = FunctionInterceptor(onAnswer: { answer, exchange in
                guard exchange.number == number else { return .pass }
                var bent = answer
                bent[place % bent.count] ^= bit
                return .replace(bent)
            })
            let outcome = try await bench.sign(psbt)
            #expect(try signatureCount(outcome.psbt) == outcome.added)
            #expect(outcome.interruption != nil || outcome.added == 2)
        }
    }
}
