import Foundation
import TestSupport
import Testing

/// PSBTs that embit and wallycore made, signed by the built `tapkit` with a card in the real PC/SC service, and judged
/// by embit, wallycore, BDK, python-bitcointx, btclib and a real node.
@Suite struct IndependentPSBTTests {
    static let libraries = ["embit", "wallycore"]

    @Test(arguments: [("p2pkh", "m/44h/1h/0h"), ("p2wpkh", "m/84h/1h/0h"), ("p2sh-p2wpkh", "m/49h/1h/5h")])
    func oneKey(kind: String, path: String) async throws {
        let bench = try await Bench(path: path)
        for library in Self.libraries {
            let made = try await bench.make(library, kind, inputs: 4)
            let answer = try await bench.sign(made.text("psbt"), with: ["--extract"])
            #expect(try answer.field("signed", as: Int.self) == 4)
            #expect(try answer.field("complete", as: Bool.self))
            #expect(try answer.field("fee_sat", as: Int.self) == made.field("fee_sat", as: Int.self))

            let verdicts = try await bench.check(answer.text("psbt"), madeFrom: made)
            try expect(verdicts, signatures: [-1, -1, -1, -1], transaction: answer.text("tx"))
            try await bench.expectValid(answer.text("tx"), spending: made)
        }
        #expect(
            try await bench.tapkit(["status"]).text("path") == Bench.home)
    }

    @Test(arguments: [
        ("p2sh-multi", "m/45h"), ("p2wsh-multi", "m/48h/1h/0h/2h"), ("p2sh-p2wsh-multi", "m/48h/1h/0h/1h"),
    ])
    func twoOfThree(kind: String, path: String) async throws {
        let bench = try await Bench(path: path)
        for (library, other) in zip(Self.libraries, Self.libraries.reversed()) {
            let made = try await bench.make(library, kind, inputs: 3)

            // The card first: two signatures per input are needed, so nothing is complete.
            let first = try await bench.sign(made.text("psbt"))
            #expect(try first.field("signed", as: Int.self) == 3)
            #expect(try !first.field("complete", as: Bool.self))
            try expect(await bench.check(first.text("psbt"), madeFrom: made), signatures: [1, 1, 1], transaction: nil)

            // A cosigner adds the second; the libraries finalize.
            let cosigned = try await bench.cosign(first.text("psbt"), other, made)
            let verdicts = try await bench.check(cosigned, madeFrom: made)
            let theirs = try verdicts.field("wallycore", as: [String: Any].self).text("tx")
            try expect(verdicts, signatures: [2, 2, 2], transaction: theirs)
            try await bench.expectValid(theirs, spending: made)

            // With the card's, which the store kept, the cosigner's signatures are enough.
            let known = try await bench.sign(bench.cosign(made.text("psbt"), other, made))
            #expect(try known.field("signed", as: Int.self) == 0)
            #expect(try known.field("complete", as: Bool.self))

            // The cosigner first: the card's signature completes it, and `tapkit` finalizes the same transaction.
            let answer = try await bench.sign(
                bench.cosign(made.text("psbt"), other, made), with: ["--extract"] + bench.newStore())
            #expect(try answer.field("signed", as: Int.self) == 3)
            #expect(try answer.field("complete", as: Bool.self))
            try await bench.expectValid(answer.text("tx"), spending: made)
            let final = try await bench.check(answer.text("psbt"), madeFrom: made)
            try expect(final, signatures: [-1, -1, -1], transaction: answer.text("tx"))
        }
    }

    /// A file of version 2, Base64 or binary, becomes one of version 2.
    @Test(arguments: [("p2pkh", "m/44h/1h/0h"), ("p2wpkh", "m/84h/1h/0h")])
    func version2(kind: String, path: String) async throws {
        let bench = try await Bench(path: path)
        for library in Self.libraries {
            let made = try await bench.make(library, kind, inputs: 3, version: 2)
            let answer = try await bench.sign(made.text("psbt"), with: ["--extract"])
            #expect(try answer.field("signed", as: Int.self) == 3)
            let verdicts = try await bench.check(answer.text("psbt"), madeFrom: made)
            try expect(verdicts, signatures: [-1, -1, -1], transaction: answer.text("tx"), version: 2)
            try await bench.expectValid(answer.text("tx"), spending: made)

            let binary = try #require(try Data(base64Encoded: made.text("psbt")))
            let signed = try await bench.signFile(binary)
            #expect(signed.starts(with: [0x70, 0x73, 0x62, 0x74, 0xFF]))
            let binaryVerdicts = try await bench.check(signed.base64EncodedString(), madeFrom: made)
            let transaction = try binaryVerdicts.field("embit", as: [String: Any].self).text("tx")
            try expect(binaryVerdicts, signatures: [-1, -1, -1], transaction: transaction, version: 2)
            try await bench.expectValid(transaction, spending: made)
        }
    }

    @Test func twoOfThreeInVersion2() async throws {
        let bench = try await Bench(path: "m/48h/1h/0h/2h")
        for library in Self.libraries {
            let made = try await bench.make(library, "p2wsh-multi", inputs: 3, version: 2)
            let first = try await bench.sign(made.text("psbt"))
            try expect(
                await bench.check(first.text("psbt"), madeFrom: made), signatures: [1, 1, 1], transaction: nil,
                version: 2)
            for other in Self.libraries {
                let cosigned = try await bench.cosign(first.text("psbt"), other, made)
                let verdicts = try await bench.check(cosigned, madeFrom: made)
                let theirs = try verdicts.field("wallycore", as: [String: Any].self).text("tx")
                try expect(verdicts, signatures: [2, 2, 2], transaction: theirs, version: 2)
                try await bench.expectValid(theirs, spending: made)
            }
            // wallycore's PSBTs call inputs and outputs modifiable, and neither library's signatures end that: such a
            // PSBT invites others to spoil the signatures. embit's PSBTs call nothing modifiable.
            for other in Self.libraries {
                let cosigned = try await bench.cosign(made.text("psbt"), other, made)
                guard library == "embit" else {
                    try await bench.attempt(cosigned, with: bench.newStore()).expectFailure(65, "refused")
                    continue
                }
                let answer = try await bench.sign(cosigned, with: ["--extract"] + bench.newStore())
                let final = try await bench.check(answer.text("psbt"), madeFrom: made)
                try expect(final, signatures: [-1, -1, -1], transaction: answer.text("tx"), version: 2)
                try await bench.expectValid(answer.text("tx"), spending: made)
            }
        }
    }

    @Test(arguments: libraries)
    func amountsWithoutProof(library: String) async throws {
        let bench = try await Bench(path: Bench.home)
        let made = try await bench.make(library, "p2wpkh", inputs: 2, previous: "witness-only")

        try await bench.attempt(made.text("psbt"), with: ["--strict"]).expectFailure(65, "refused")

        let unanswered = try await bench.attempt(made.text("psbt")).expectFailure(65, "not_accepted")
        #expect(
            try unanswered.field("error", as: [String: Any].self).text("hint").hasSuffix("--accept amount_not_proven"))

        let answer = try await bench.sign(made.text("psbt"), with: ["--extract", "--accept", "amount_not_proven"])
        #expect(try !answer.field("warnings", as: [Any].self).isEmpty)
        try await bench.expectValid(answer.text("tx"), spending: made)
    }

    /// The judges can tell: one satoshi more on a coin, or one bit of a signature, and they refuse.
    @Test func theJudgesAreAwake() async throws {
        let bench = try await Bench(path: Bench.home)
        var made = try await bench.make("embit", "p2wpkh", inputs: 2)
        let transaction = try await bench.sign(made.text("psbt"), with: ["--accept", "amount_not_proven"]).text("tx")
        var spent = try made.field("spent", as: [[String: Any]].self)
        spent[1]["amount_sat"] = try spent[1].field("amount_sat", as: Int.self) + 1
        made["spent"] = spent
        for (_, verdict) in try await bench.judge(transaction, spending: made) {
            #expect(verdict as? Bool != true)
        }

        let multisig = try await bench.make("wallycore", "p2wsh-multi", inputs: 1)
        let signed = try await bench.sign(multisig.text("psbt")).text("psbt")
        var bytes = try #require(Data(base64Encoded: signed))
        // Key type 02 with a public key, then a value that is a DER sequence: the partial signature.
        let signature = try #require(
            bytes.indices.dropLast(60).first { bytes[$0...($0 + 1)] == Data([0x22, 0x02]) && bytes[$0 + 36] == 0x30 })
        bytes[signature + 48] ^= 1
        await #expect(throws: Subprocess.Failure.self) {
            _ = try await bench.check(bytes.base64EncodedString(), madeFrom: multisig)
        }
    }

    /// Each library found the transaction unchanged, these numbers of signatures, and made this transaction of them.
    private func expect(
        _ verdicts: [String: Any], signatures: [Int], transaction: String?, version: Int = 0,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        for library in ["embit", "wallycore", "bdkpython"] {
            let verdict = try verdicts.field(library, as: [String: Any].self)
            let comment = Comment(rawValue: library)
            #expect(try verdict.field("same_transaction", as: Bool.self), comment, sourceLocation: sourceLocation)
            #expect(
                try verdict.field("signatures", as: [Int].self) == signatures, comment, sourceLocation: sourceLocation)
            if library != "bdkpython" {
                #expect(try verdict.field("version", as: Int.self) == version, comment, sourceLocation: sourceLocation)
            }
            if library == "wallycore" {
                #expect(try verdict.field("modifiable", as: Int.self) == 0, sourceLocation: sourceLocation)
            }
            // embit cannot finalize bare multisig in P2SH.
            if library == "embit", verdict["tx"] is NSNull, transaction != nil { continue }
            #expect(verdict["tx"] as? String == transaction, comment, sourceLocation: sourceLocation)
        }
    }
}

/// A card that is set up, on a reader, and the Python that makes and judges its PSBTs.
private struct Bench {
    /// The card's own path, where every signing has to leave it.
    static let home = "m/84h/1h/0h"

    private let workshop: Workshop
    private let sandbox: PCSCSandbox
    private let python: PythonEnvironment
    private let path: String
    private let xpub: String
    private let fingerprint: String

    /// - Parameter path: the account that the PSBTs will ask for.
    init(path: String) async throws {
        python = try .shared()
        workshop = try await Workshop([])
        sandbox = try await PCSCSandbox(card: workshop.cardFile)
        self.path = path
        let tapkit = { [workshop, sandbox] (arguments: [String]) in
            try await sandbox.tapkit(arguments, in: workshop).succeeded().json()
        }
        let account = try await tapkit(["derive", path])
        xpub = try account.text("xpub")
        fingerprint = try account.text("fingerprint")
        _ = try await tapkit(["derive", Self.home])
    }

    func tapkit(_ arguments: [String]) async throws -> [String: Any] {
        try await sandbox.tapkit(arguments, in: workshop).succeeded().json()
    }

    func make(
        _ library: String, _ kind: String, inputs: Int, previous: String = "full", version: Int = 0
    ) async throws -> [String: Any] {
        let seed = ProcessInfo.processInfo.environment["TAPKIT_TEST_SEED"] ?? "1"
        return try await python.run(
            "make_psbt.py",
            [
                "library": library, "seed": "\(seed) \(library) \(kind)", "network": "test", "type": kind,
                "xpub": xpub, "fingerprint": fingerprint, "path": path, "inputs": inputs, "previous": previous,
                "version": version,
            ])
    }

    /// Signs a PSBT of a file of its own with `tapkit sign`.
    func attempt(_ psbt: String, with options: [String] = []) async throws -> Subprocess {
        let name = UUID().uuidString
        let file = try workshop.folder.write(psbt, to: "\(name).psbt")
        return try await sandbox.tapkit(["sign", file, "-o", "\(name).signed.psbt"] + options, in: workshop)
    }

    /// Signs. The libraries' PSBTs hold no extended keys, so the change of several signers is not proven.
    func sign(_ psbt: String, with options: [String] = []) async throws -> [String: Any] {
        try await attempt(psbt, with: options + ["--accept", "change_not_proven"]).succeeded().json()
    }

    /// Options for a store that knows nothing yet.
    func newStore() -> [String] { ["--data-dir", workshop.folder.path(UUID().uuidString)] }

    /// Signs a file of these bytes; returns what is in the signed one.
    func signFile(_ bytes: Data) async throws -> Data {
        let name = UUID().uuidString
        let file = workshop.folder.path("\(name).psbt")
        try bytes.write(to: URL(fileURLWithPath: file))
        try await sandbox.tapkit(["sign", file], in: workshop).succeeded()
        return try Data(contentsOf: URL(fileURLWithPath: workshop.folder.path("\(name).signed.psbt")))
    }

    /// The second cosigner's signatures added.
    func cosign(_ psbt: String, _ library: String, _ made: [String: Any]) async throws -> String {
        let seed = try made.field("cosigner_seeds", as: [String].self)[1]
        let answer = try await python.run(
            "cosign_psbt.py", ["library": library, "psbt": psbt, "seed": seed, "network": "test"])
        #expect(try answer.field("signatures", as: Int.self) == 3)
        return try answer.text("psbt")
    }

    func check(_ psbt: String, madeFrom made: [String: Any]) async throws -> [String: Any] {
        try await python.run("check_psbt.py", ["unsigned": made.text("psbt"), "signed": psbt])
    }

    /// What each judge says of the scripts of every input.
    func judge(_ transaction: String, spending made: [String: Any]) async throws -> [String: Any] {
        try await python.run(
            "verify_tx.py", ["tx": transaction, "spent": try made.field("spent", as: [[String: Any]].self)])
    }

    /// All judges run the scripts of every input and find nothing, nor does a node.
    func expectValid(
        _ transaction: String, spending made: [String: Any], sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let verdicts = try await judge(transaction, spending: made)
        for judge in ["bitcointx", "btclib", "kernel"] {
            #expect(
                verdicts[judge] as? Bool == true, "\(judge): \(String(describing: verdicts[judge]))",
                sourceLocation: sourceLocation)
        }
        try await Judges.expectTaken(transaction, at: sourceLocation)
    }
}
