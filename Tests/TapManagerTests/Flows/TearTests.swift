import Bitcoin
import ByteCodec
import FlowSupport
import Synchronization
import TapManager
import TapProtocol
import TapSimulator
import TestSupport
import Testing

/// The card taken away at every exchange of every flow that changes it.
///
/// Spec: protocol, "Interruptions".
@Suite struct TearTests {
    /// The last value that a flow handed out.
    private final class Box<Value: Sendable>: Sendable {
        private let content = Mutex<Value?>(nil)

        var value: Value? {
            get { content.withLock { $0 } }
            set { content.withLock { $0 = newValue } }
        }
    }

    @Test(arguments: [SimulatedProduct.tapsigner, .satschip]) func setup(_ product: SimulatedProduct) async throws {
        var generator = SeededGenerator()
        let bench = try FlowBench(product, using: &generator)
        let (saved, result) = (Box<EncryptedBackup>(), Box<CardSetup>())
        let tear = Tear { driver, bench, run in
            // Each run draws its own chain code; the card has that of the run that picked its key.
            let hadKey = bench.record.path != nil
            let chainCode = ChainCode(repeating: UInt8(run))
            let earlier = bench.store.flows(of: bench.ident).map(\.state).first { $0.kind == .setup }
            let goal = SetupFlow.Goal(
                path: nil, chainCode: chainCode, isChainCodeNamed: false, newCVC: try CVC("87654321"))
            let flow = SetupFlow(driver: driver, cvc: try CVC(FlowBench.cvc), goal: goal)
            let isDone = bench.record.cvc == "87654321" && earlier == nil
            result.value = try await flow.run {
                #expect(!bench.mortal.isDead)
                saved.value = $0.ciphertext
            }
            guard !isDone else { return }
            var given = chainCode
            if hadKey, case .setup(let state) = earlier { given = try #require(state.chainCode) }
            #expect(try bench.wallet().master.chainCode == given, "run \(run)")
            // Only the store says that an earlier run gave it to the card.
            #expect(result.value?.isKeyNew == (given == chainCode), "run \(run)")
            #expect(result.value?.isKeyOfEarlierSetup == (given != chainCode), "run \(run)")
        } check: { bench, cell in
            let master = try bench.wallet().master.neutered
            let account = try #require(result.value?.account, "\(cell)")
            if product == .tapsigner {
                let ciphertext = try #require(saved.value, "\(cell)")
                let key = try Backup.Key(hex: try #require(bench.record.aesKey))
                let backup = try Backup(decrypting: ciphertext, key: key)
                #expect(backup.belongs(to: master), "\(cell)")
                #expect(backup.path == account.path, "\(cell)")
            }
            #expect(bench.record.path?.description == "m/84h/1h/0h", "\(cell)")
            #expect(account.path == bench.record.path, "\(cell)")
            #expect(account.masterFingerprint == master.fingerprint, "\(cell)")
            #expect(bench.record.cvc == "87654321", "\(cell)")
            // Whichever run drew it: the host did, and the card did not.
            #expect(Set(master.chainCode.bytes).count == 1 && (1...2).contains(master.chainCode.bytes[0]), "\(cell)")
            saved.value = nil
            result.value = nil
        }
        try await tear.run(on: bench, "setup of a \(product)")
    }

    @Test func changeCVC() async throws {
        var generator = SeededGenerator()
        let bench = try await FlowBench.ready(using: &generator)
        let tear = Tear { driver, _, _ in
            try await ChangeCVCFlow(driver: driver, from: CVC(FlowBench.cvc), to: CVC("87654321")).change()
        } check: { bench, cell in
            #expect(bench.record.cvc == "87654321", "\(cell)")
        }
        try await tear.run(on: bench, "change-cvc")
    }

    @Test func derive() async throws {
        var generator = SeededGenerator()
        let bench = try await FlowBench.ready(using: &generator)
        let path = try DerivationPath(parsing: "m/49h/1h/7h")
        let tear = Tear { driver, bench, _ in
            let account = try await AccountFlow(driver: driver, cvc: CVC(FlowBench.cvc)).derive(path)
            #expect(account.key.publicKey == (try bench.wallet().publicKey(path)))
        } check: { bench, cell in
            #expect(bench.record.path == path, "\(cell)")
        }
        try await tear.run(on: bench, "derive")
    }

    @Test func backup() async throws {
        var generator = SeededGenerator()
        let bench = try await FlowBench.ready(using: &generator)
        let tear = Tear { driver, bench, _ in
            let backup = try await BackupFlow(driver: driver, cvc: CVC(FlowBench.cvc)).backup(to: "backup.aes") { _ in }
            let key = try Backup.Key(hex: try #require(bench.record.aesKey))
            let opened = try Backup(decrypting: backup.ciphertext, key: key)
            #expect(opened.belongs(to: try bench.wallet().master.neutered))
            #expect(backup.count == bench.record.backups)
        } check: { bench, cell in
            #expect((bench.record.backups ?? 0) >= 2, "\(cell)")
        }
        try await tear.run(on: bench, "backup")
    }

    /// The CVC's change pulled again and again, at whichever exchange: never more than two wrong tries in a row.
    @Test func changeCVCSurvivesRepeatedPulls() async throws {
        var generator = SeededGenerator()
        let original = try await FlowBench.ready(using: &generator)
        for _ in 0..<40 {
            let bench = try original.copy()
            let pulls = Set((0..<5).map { _ in Int.random(in: 1...20, using: &generator) })
            bench.watch.disturbance = FunctionInterceptor(
                onCommand: { pulls.contains($0.number) && $0.number.isMultiple(of: 2) ? .pull(.whenAwaited) : .pass },
                onAnswer: { pulls.contains($1.number) ? .pull(.whenAwaited) : .pass })
            let change: @Sendable (CardDriver) async throws -> Void = {
                try await ChangeCVCFlow(driver: $0, from: CVC(FlowBench.cvc), to: CVC("87654321")).change()
            }
            do {
                try await bench.run(patience: .limited(.seconds(20)), change)
            } catch let error as FlowError where error.stopsTrying {
                // Twice lost in the very exchange that tries a CVC: it goes no further by itself.
                bench.watch.disturbance = nil
                try await bench.run(patience: .limited(.seconds(20)), change)
            }
            #expect(bench.record.cvc == "87654321")
            #expect(bench.reader.exchangeCounts["wait"] == nil)
        }
    }
}

extension FlowError {
    /// Whether the flow ended rather than risk a third wrong CVC.
    var stopsTrying: Bool {
        switch self {
        case .cvcInDoubt, .card(.unprovenCVC), .triesSpent: true
        default: false
        }
    }
}
