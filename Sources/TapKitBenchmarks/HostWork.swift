import Bitcoin
import Glibc
import TapManager

/// The host's work to sign a PSBT, phase by phase, and the process's peak memory. A key in memory stands in for the
/// card, and its time is not counted.
struct HostWork {
    private let file: String

    init(file: String) { self.file = file }

    func run() throws {
        let master = try BenchmarkWallet.master
        var clock = PhaseClock()
        let bytes = try read()
        clock.lap("read \(bytes.count) bytes")
        let psbt = try PSBT(fileContent: bytes)
        clock.lap("parse")
        let account = try master.descendant(BenchmarkWallet.account)
        let keys = SignerKeys(
            masterFingerprint: master.neutered.fingerprint, accounts: [BenchmarkWallet.account: account.neutered])
        let planner = SigningPlanner(psbt: psbt, network: .test)
        let plan = try planner.plan(keys: keys, present: BenchmarkWallet.account, final: BenchmarkWallet.account)
        clock.lap("plan (checks, keys, digests)")
        var signed = psbt
        clock.pause()
        let signatures = try plan.stages.flatMap(\.items).map { item in
            (item, try account.descendant(item.subpath).privateKey.signGrindingLowR(digest: item.digest))
        }
        clock.resume()
        for (item, signature) in signatures {
            guard item.publicKey.isValid(signature, for: item.digest) else { exit(1) }
            signed.addPartialSignature(
                PartialSignature(signature, type: item.sighashType, by: item.publicKey), toInput: item.inputIndex)
        }
        clock.lap("verify and insert \(signatures.count) signatures")
        try signed.finalizeInputs()
        clock.lap("finalize")
        let transaction = try signed.extractedTransaction()
        clock.lap("extract")
        let output = signed.serialized()
        clock.lap("serialize \(output.count) bytes")
        clock.finish("host work for \(transaction.inputs.count) inputs")
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        let bound = 64 + 4 * Double(bytes.count) / 1_048_576
        print("peak memory \(usage.ru_maxrss / 1024) MB (bound \(Int(bound)) MB)")
    }

    private func read() throws -> [UInt8] {
        guard let stream = fopen(file, "rb") else {
            perror(file)
            exit(66)
        }
        defer { fclose(stream) }
        fseek(stream, 0, SEEK_END)
        var bytes = [UInt8](repeating: 0, count: ftell(stream))
        rewind(stream)
        guard fread(&bytes, 1, bytes.count, stream) == bytes.count else { exit(74) }
        return bytes
    }
}

/// Prints how long each phase took.
struct PhaseClock {
    private var start = ContinuousClock.now
    private var total = Duration.zero

    mutating func lap(_ name: String) {
        pause()
        print("\(Self.text(last))  \(name)")
        resume()
    }

    private var last = Duration.zero

    /// Ends the current phase's time.
    mutating func pause() {
        last = ContinuousClock.now - start
        total += last
    }

    /// Begins another phase.
    mutating func resume() { start = .now }

    func finish(_ name: String) { print("\(Self.text(total))  \(name)") }

    private static func text(_ duration: Duration) -> String {
        let microseconds = duration.components.attoseconds / 1_000_000_000_000 + duration.components.seconds * 1_000_000
        let digits = String(microseconds / 1000)
        let fraction = String(microseconds % 1000 + 1000).dropFirst()
        return String(repeating: " ", count: max(0, 6 - digits.count)) + digits + "." + fraction + " ms"
    }
}
