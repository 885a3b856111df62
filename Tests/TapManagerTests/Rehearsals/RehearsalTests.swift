import Bitcoin
import ByteCodec
import Foundation
import TapProtocol
import TestSupport
import Testing

@testable import TapManager

/// A kit and backups alone can spend, by each path for which there are enough; nothing that a rehearsal makes is of use
/// elsewhere.
@Suite struct RehearsalTests {
    private let bench: DrillBench
    private let holders: [SampleWallet]
    private static let preimage = [UInt8](repeating: 5, count: 32)

    init() throws { try self.init(holderCount: 3) }

    private init(holderCount: UInt8) throws {
        bench = try DrillBench()
        holders = try (1...holderCount).map { try SampleWallet(seed: $0) }
    }

    private func descriptor(_ policy: String) throws -> String {
        try #require(SamplePolicy(policy, holders).descriptor().text)
    }

    /// Rehearses with the backups of the holders that letters name.
    private func rehearse(
        _ opened: OpenedWallet?, _ letters: String, preimages: [[UInt8]] = []
    ) throws -> RehearsalReport {
        let own = try letters.unicodeScalars.map { try DrillBench.backup(holders[Int($0.value) - 65]) }
        return try bench.manager.rehearse(
            try bench.read(), of: opened, with: own, preimages: preimages, hasStoredBackups: false)
    }

    /// The letters of the holders of keys.
    private func letters(_ keys: [SpendingTerms.Key]) -> String {
        keys.map { key in
            let place = holders.firstIndex { key == .holder($0.fingerprint) }
            return place.map { String(UnicodeScalar(UInt8(65 + $0))) } ?? "?"
        }.joined()
    }

    /// For each path, who signed, and whose backups are missing, as in `AB-C`; with `!` if it is not proven.
    private func words(_ report: RehearsalReport) -> [String] {
        report.paths.map { path in
            #expect(path.fault == nil)
            return "\(letters(path.keys))-\(letters(path.missing))\(path.isProven ? "" : "!")"
        }
    }

    @Test(arguments: [
        ("ABC", ["ABC-", "ABC-"]), ("AC", ["AC-B", "AC-B"]), ("B", ["-AC!", "B-AC"]),
    ])
    func twoOfThreeThatDecays(_ backups: String, _ expected: [String]) async throws {
        let opened = try await bench.written(try descriptor("thresh(2,pk(#A),s:pk(#B),s:pk(#C),sln:older(10))"))
        let report = try rehearse(opened, backups)
        #expect(words(report) == expected)
        #expect(report.paths.map(\.path.number) == [1, 2] && report.addressCount == 6)
        // What is remembered is what was proven.
        let stored = try #require(bench.store.wallets().first)
        #expect(stored.drill.proven == Dictionary(uniqueKeysWithValues: report.proven.map { ($0, DrillBench.start) }))
    }

    @Test(arguments: ScriptKind.allCases) func anAccount(_ kind: ScriptKind) async throws {
        let path = try DerivationPath(parsing: "m/84h/1h/0h")
        let text = AccountDescriptor(
            kind: kind, origin: KeyOrigin(fingerprint: holders[0].fingerprint, path: path),
            key: try holders[0].extendedKey(path)
        ).text
        let opened = try await bench.written(text)
        #expect(words(try rehearse(opened, "A")) == ["A-"])
        #expect(throws: RehearsalError.strangeBackup(holders[1].fingerprint)) { try rehearse(opened, "B") }
        #expect(throws: RehearsalError.strangeBackup(holders[1].fingerprint)) { try rehearse(opened, "AB") }
        #expect(throws: RehearsalError.sameBackup(holders[0].fingerprint)) { try rehearse(opened, "AA") }
    }

    @Test(arguments: ["wsh(sortedmulti(2,%))", "sh(wsh(sortedmulti(2,%)))", "sh(sortedmulti(2,%))", "wsh(multi(2,%))"])
    func aMultisig(_ form: String) async throws {
        let opened = try await bench.written(form.replacingOccurrences(of: "%", with: try keys("<0;1>")))
        #expect(words(try rehearse(opened, "ABC")) == ["ABC-"])
        #expect(words(try rehearse(opened, "CA")) == ["AC-B"])
        let alone = try rehearse(opened, "B")
        #expect(words(alone) == ["-AC!"] && alone.proven.isEmpty)
        #expect(bench.store.wallets().first?.drill.proven == [1: DrillBench.start])
    }

    /// Addresses and change in descriptors of their own, the keys of one in another order.
    @Test func aMultisigInTwoDescriptors() async throws {
        let (receive, change) = (try keys("0"), try keys("1"))
        let turned = change.split(separator: ",").reversed().joined(separator: ",")
        let opened = try await bench.written("wsh(sortedmulti(2,\(receive)))", "wsh(sortedmulti(2,\(turned)))")
        let report = try rehearse(opened, "AB")
        #expect(words(report) == ["AB-C"] && report.addressCount == 6)
    }

    private func keys(_ branch: String) throws -> String {
        let path = try DerivationPath(parsing: "m/48h/1h/0h/2h")
        return try holders.map {
            "[\($0.fingerprint)/48h/1h/0h/2h]\(try $0.extendedKey(path).text)/\(branch)/*"
        }.joined(separator: ",")
    }

    @Test func aPathThatTakesAPreimage() async throws {
        let hash = Script(PreimageHash.sha256.hash(Self.preimage)).description
        let opened = try await bench.written(
            try descriptor("andor(pk(#A),sha256(\(hash)),and_v(v:pk(#B),older(10)))"))
        let without = try rehearse(opened, "AB")
        #expect(without.proven == [2] && without.paths[0].missingPreimages == 1)
        #expect(words(without) == ["-!", "B-"])
        #expect(words(try rehearse(opened, "AB", preimages: [Self.preimage])) == ["A-", "B-"])
        #expect(throws: CreationError.uselessPreimage(1)) {
            try rehearse(opened, "AB", preimages: [[UInt8](repeating: 6, count: 32)])
        }
    }

    /// Too many paths to list: for each combination of locks, everybody takes part who can, and only where they are needed.
    @Test(arguments: [
        ("ABCDEFGHIJ", ["ABCDE-", "AFBGCHDIEJ-"]), ("ABC", ["ABC-DE", "-FGHDIEJ!"]), ("AB", ["-CDE!", "-FGCHDIEJ!"]),
        ("ABH", ["-CDE!", "ABH-FGCDIEJ"]), ("AFG", ["-BCDE!", "-BCHDIEJ!"]), ("FGH", ["-ABCDE!", "FGH-ABCDIEJ"]),
    ])
    func choicesAreRehearsed(_ backups: String, _ expected: [String]) async throws {
        let many = try RehearsalTests(holderCount: 10)
        let parts = zip("ABCDE", "FGHIJ").map { "or_d(pk(#\($0)),and_n(pkh(#\($1)),n:older(10)))" }
        let opened = try await many.bench.written(
            try many.descriptor("thresh(3,\(parts[0]),a:\(parts.dropFirst().joined(separator: ",a:")))"))
        let report = try many.rehearse(opened, backups)
        #expect(many.words(report) == expected)
        #expect(report.paths.map(\.path.terms.older) == [[], [10]])
        let document = try Data(contentsOf: URL(filePath: many.bench.kit + "/" + KitFile.Name.document.rawValue))
        let kit = try JSONReader.value(Array(document), within: JSONBounds(length: 1 << 20))
        let paths = try #require(kit["wallet"]?["paths"]?.array)
        let keys = many.holders.map { "pk(\($0.fingerprint))" }
        #expect(paths[0]["choice"]?.string == "thresh(3,\(keys.prefix(5).joined(separator: ",")))")
        let pairs = zip(keys, keys.dropFirst(5)).map { "thresh(1,\($0),\($1))" }.joined(separator: ",")
        #expect(paths[1]["choice"]?.string == "thresh(3,\(pairs))")
    }

    /// Heirs who need each other take part, wherever the owner's key stands.
    @Test(arguments: [false, true]) func whoeverIsNeededTogetherTakesPart(_ isOwnerFirst: Bool) async throws {
        let many = try RehearsalTests(holderCount: 21)
        let letters = (0..<21).map { String(UnicodeScalar(UInt8(65 + $0))) }
        let parts = (0..<7).map { number in
            let (owner, heirs) = (letters[3 * number + 2], [letters[3 * number], letters[3 * number + 1]])
            let later = "and_v(v:pk(#\(heirs[0])),and_v(v:pk(#\(heirs[1])),older(9)))"
            return isOwnerFirst ? "or_i(pk(#\(owner)),\(later))" : "or_i(\(later),pk(#\(owner)))"
        }
        let opened = try await many.bench.written(
            try many.descriptor(parts.dropLast().reversed().reduce(parts[6]) { "and_v(v:\($1),\($0))" }))
        let everybody = try many.rehearse(opened, letters.joined())
        #expect(everybody.proven == [1, 2] && everybody.paths.allSatisfy { $0.missing.isEmpty && $0.unused.isEmpty })
        #expect(everybody.paths.map(\.keys.count) == [7, 21])
        let heirs = try many.rehearse(
            opened, letters.enumerated().filter { $0.offset % 3 != 2 }.map(\.element).joined())
        #expect(heirs.proven == [2] && heirs.paths[1].keys.count == 14)
        // The owner's keys need no lock: that path has another number.
        let owner = try many.rehearse(
            opened, letters.enumerated().filter { $0.offset % 3 == 2 }.map(\.element).joined())
        #expect(owner.proven == [1] && owner.paths[1].keys.isEmpty)
    }

    /// With many ways, a preimage is needed only where no other way is.
    @Test func aChoiceWithPreimages() async throws {
        let many = try RehearsalTests(holderCount: 14)
        let hash = Script(PreimageHash.sha256.hash(Self.preimage)).description
        let parts = (0..<7).map { number in
            let pair = [number, number + 7].map { String(UnicodeScalar(UInt8(65 + $0))) }
            return "or_i(pk(#\(pair[0])),and_v(v:pk(#\(pair[1])),sha256(\(hash))))"
        }
        let opened = try await many.bench.written(
            try many.descriptor(parts.dropLast().reversed().reduce(parts[6]) { "and_v(v:\($1),\($0))" }))
        let without = try many.rehearse(opened, "ABCDEFGHIJKLMN")
        #expect(without.proven == [1] && many.letters(without.paths[0].keys) == "ABCDEFG")
        #expect(many.letters(without.paths[0].unused) == "HIJKLMN" && without.paths[0].missingPreimages == 0)
        let with = try many.rehearse(opened, "ABCDEFGHIJKLMN", preimages: [Self.preimage])
        #expect(with.proven == [1] && with.paths[0].keys.count == 14 && with.paths[0].unused.isEmpty)
        let heirs = try many.rehearse(opened, "HIJKLMN")
        #expect(heirs.proven.isEmpty && heirs.paths[0].missingPreimages == 1)
    }

    /// A backup with keys in both paths signs only for the one that is rehearsed.
    @Test func oneHolderInSeveralPaths() async throws {
        let opened = try await bench.written(
            try descriptor("or_d(multi(2,#A,#B),and_v(v:multi(2,#a,#C),older(10)))"))
        #expect(words(try rehearse(opened, "ABC")) == ["AB-", "AC-"])
        #expect(words(try rehearse(opened, "AC")) == ["-B!", "AC-"])
    }

    @Test(arguments: [
        "older(1)", "older(10)", "older(65535)", "older(4194305)", "after(1)", "after(500)", "after(1700000000)",
        "and_v(v:older(10),after(500))",
    ])
    func aLockIsObserved(_ lock: String) async throws {
        let opened = try await bench.written(try descriptor("and_v(v:pk(#A),\(lock))"))
        #expect(words(try rehearse(opened, "A")) == ["A-"])
        // Nobody relies on this test if the chain takes everything, or nothing.
        let rehearsal = try rehearsal(opened, "A")
        let path = rehearsal.paths[0]
        let height = PretendChain.height(opening: path.terms)
        let funds = try Rehearsal.Funds(paying: rehearsal.places, of: opened.wallet)
        let chain = PretendChain(funds.coins.mapValues(\.output))
        let seats = Set(path.signers[0].seats)
        let spend = try rehearsal.signed(path, by: seats, spending: funds, after: height)
        #expect(chain.objection(to: spend.transaction, after: height) == nil)
        #expect(chain.objection(to: spend.transaction, after: height + 1_000) == nil)
        // The lock that opens last keeps it out of the block before.
        let isAge = lock.hasPrefix("older")
        #expect(chain.objection(to: spend.transaction, after: height - 1) == (isAge ? .tooYoung(input: 0) : .notFinal))
        // It is the lock that keeps the scripts from spending earlier: the signatures are good.
        let demanded = Rehearsal.Lock.allCases.filter { $0.longest(of: path.terms) != nil }
        #expect(demanded.count == lock.split(separator: ",").count)
        for kind in demanded {
            let hasty = try #require(try rehearsal.hasty(kind, of: path, spend))
            #expect(hasty != spend.transaction)
            let failures = try #require(chain.scriptFailures(of: hasty))
            #expect(failures == hasty.inputs.map { _ in .lockTimeNotReached })
        }
        try rehearsal.requireLocks(of: path, spend, spending: funds)
        // Its block lets the wallet itself say when it opens.
        guard let own = path.path, own.terms.isOpenedByBlocks else { return }
        #expect(path.terms.openingHeight(confirmed: PretendChain.coinHeight) == height + 1)
    }

    /// Scripts that open one step earlier than people are told; also where the same key opens another path.
    @Test(
        arguments: [
            ("older(9)", "older(10)"), ("after(499)", "after(500)"), ("after(1699999999)", "after(1700000000)"),
            ("and_v(v:older(10),after(499))", "and_v(v:older(10),after(500))"),
            ("and_v(v:older(9),after(500))", "and_v(v:older(10),after(500))"),
        ], ["%", "or_i(pk(#A),%)"])
    func aShorterLockIsTold(_ locks: (real: String, told: String), in form: String) async throws {
        func descriptor(_ lock: String) throws -> String {
            try self.descriptor(form.replacingOccurrences(of: "%", with: "and_v(v:pk(#a),\(lock))"))
        }
        let opened = try await bench.written(try descriptor(locks.real))
        let rehearsal = try rehearsal(opened, "A")
        let own = try #require(rehearsal.paths.last)
        let other = try await DrillBench().written(try descriptor(locks.told))
        let path = KitPath(
            number: 1, terms: try #require(KitPath.all(of: other.wallet).last).terms, signers: own.signers, policy: nil,
            path: own.path)
        let seats = Set(own.signers[0].seats)
        let funds = try Rehearsal.Funds(paying: rehearsal.places, of: opened.wallet)
        let spend = try rehearsal.signed(
            own, by: seats, spending: funds, after: PretendChain.height(opening: path.terms))
        try rehearsal.requireLocks(of: own, spend, spending: funds)
        #expect(throws: RehearsalError.notLocked(path: 1)) {
            try rehearsal.requireLocks(of: path, spend, spending: funds)
        }
    }

    /// What the pretended chain takes, a real node takes; and what it refuses because it is too early, a node refuses.
    @Test(arguments: [1, 2]) func aNodeAgrees(_ number: Int) async throws {
        let opened = try await bench.written(try descriptor("thresh(2,pk(#A),s:pk(#B),s:pk(#C),sln:older(10))"))
        let rehearsal = try rehearsal(opened, "ABC")
        let path = rehearsal.paths[number - 1]
        let node = try await BitcoinNode.start()
        let scripts = try rehearsal.places.map { try opened.wallet.script(at: $0) }
        let paid = try await node.fundings(of: scripts, 1_000_000)
        let funds = Rehearsal.Funds(zip(rehearsal.places, paid).map { ($0, $1, 1) })
        #expect(funds.coins.count == scripts.count)
        let transaction = try rehearsal.signed(
            path, by: Set(path.signers[0].seats.prefix(path.terms.groups[0].threshold)), spending: funds,
            after: PretendChain.height(opening: path.terms)
        ).transaction
        // The coins are in the last block at most.
        func reason() async throws -> String? {
            let answers = try await node.call(
                "testmempoolaccept", [Hex.encode(transaction.serialized())], as: [[String: Any]].self)
            return answers.first?["allowed"] as? Bool == true ? nil : answers.first?["reject-reason"] as? String ?? ""
        }
        var blocks = 0
        while let reason = try await reason(), blocks < 20 {
            #expect(reason == "non-BIP68-final" && number == 2)
            try await node.mine()
            blocks += 1
        }
        #expect(try await reason() == nil && blocks <= 10 && (blocks > 0) == (number == 2))
        try await node.stop()
    }

    private func rehearsal(_ opened: OpenedWallet, _ letters: String) throws -> Rehearsal {
        let own = try letters.unicodeScalars.map { try DrillBench.backup(holders[Int($0.value) - 65]) }
        return try Rehearsal(opened.wallet, BackupHolders(own, for: opened.wallet), preimages: [])
    }

    /// Whatever a kit says, its signatures spend nothing that exists, and would pay only the wallet itself.
    @Test func theSignaturesAreWorthless() async throws {
        let opened = try await bench.written(try descriptor("multi(2,#A,#B)"))
        let rehearsal = try rehearsal(opened, "AB")
        let path = rehearsal.paths[0]
        func signed() throws -> (transaction: Transaction, chain: PretendChain) {
            let funds = try Rehearsal.Funds(paying: rehearsal.places, of: opened.wallet)
            return (
                try rehearsal.signed(path, by: Set(path.signers[0].seats), spending: funds, after: 1).transaction,
                PretendChain(funds.coins.mapValues(\.output))
            )
        }
        let (one, other) = (try signed(), try signed())
        // Nobody chooses the outputs that are spent: they are another random transaction's each time.
        let spent = [one, other].map { Set($0.transaction.inputs.map(\.outpoint.transactionID)) }
        #expect(spent.map(\.count) == [1, 1] && spent[0] != spent[1])
        guard case .noSuchCoin? = one.chain.objection(to: other.transaction, after: 1) else {
            Issue.record("another chain has the coins")
            return
        }
        let own = try rehearsal.places.map { try opened.wallet.script(at: $0) }
        #expect(one.transaction.outputs.count == 1 && own.contains(one.transaction.outputs[0].scriptPubKey))
        // Every signature is for the whole transaction, and worth nothing for a coin that exists.
        for input in one.transaction.inputs {
            let signatures = input.witness.filter { ECDSASignature(der: $0.dropLast()) != nil }
            #expect(signatures.count == 2 && signatures.allSatisfy { $0.last == 1 })
        }
        var moved = one.transaction
        let funding = try SampleWallet.funding(own[0], amount: 1_000_000, salt: 1)
        moved.inputs = [moved.inputs[0]]
        moved.inputs[0].outpoint = Outpoint(transactionID: funding.id, index: 1)
        var jury = ScriptJury()
        let failures = jury.judge(moved, spending: [funding.outputs[1]], under: [[], .standard])
        #expect(failures.allSatisfy { $0 != nil })
        try await jury.agree()
    }

    /// The fingerprint is the backup's, the key is not.
    @Test func aFalseKeyIsTold() async throws {
        let path = try DerivationPath(parsing: "m/84h/1h/0h")
        let origin = KeyOrigin(fingerprint: holders[0].fingerprint, path: path)
        let key = try holders[1].extendedKey(path)
        let opened = try await bench.written("wpkh(\(origin)\(key.text)/<0;1>/*)")
        #expect(throws: RehearsalError.falseKey(origin)) { try rehearse(opened, "A") }
        // The key at another path than the wallet says: an active reader can have made it say so.
        let other = KeyOrigin(fingerprint: holders[0].fingerprint, path: try DerivationPath(parsing: "m/84h/1h/7h"))
        let moved = try DrillBench()
        try await moved.written("wpkh(\(other)\(try holders[0].extendedKey(path).text)/<0;1>/*)")
        #expect(throws: RehearsalError.falseKey(other)) {
            try moved.manager.require(DrillBench.backup(holders[0]), for: moved.read().wallet)
        }
    }

    /// Who stops it learns nothing about the wallet.
    @Test func aCancelledRehearsalAccusesNobody() async throws {
        let opened = try await bench.written(try descriptor("multi(2,#A,#B)"))
        let rehearsal = try rehearsal(opened, "AB")
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            return try rehearsal.run().count
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    /// The kit alone is enough, without a store.
    @Test func heirsHaveNoStore() async throws {
        try await bench.written(try descriptor("thresh(2,pk(#A),s:pk(#B),s:pk(#C),sln:older(10))"))
        let heirs = CardManager(store: MemoryStore(), clock: { DrillBench.start })
        let report = try heirs.rehearse(
            bench.read(), of: nil, with: [DrillBench.backup(holders[1]), DrillBench.backup(holders[2])],
            hasStoredBackups: false)
        #expect(words(report) == ["BC-A", "BC-A"] && !report.isStored)
    }

    @Test func aYearLaterItIsDue() async throws {
        let opened = try await bench.written(try descriptor("or_d(pk(#A),and_v(v:pk(#B),older(10)))"))
        let day: Int64 = 24 * 3_600
        func due(_ days: Int64) throws -> [String] {
            let time = UnixTime(seconds: DrillBench.start.seconds + days * day)
            return try bench.manager(at: time).walletsWithDueDrill().map(\.name)
        }
        // There is a kit, and nobody tried it.
        #expect(try due(0) == ["family"])
        // The heirs' path is still to be tried.
        _ = try rehearse(opened, "A")
        #expect(try due(0) == ["family"])
        #expect(bench.store.wallets().first?.unprovenPaths == [2])
        // The older of the two proofs counts.
        func manager(_ days: Int64) -> CardManager {
            bench.manager(at: UnixTime(seconds: DrillBench.start.seconds + days * day))
        }
        _ = try manager(300).rehearse(
            bench.read(), of: opened, with: [DrillBench.backup(holders[1])], hasStoredBackups: false)
        #expect(try due(300) == [] && due(365) == [] && due(366) == ["family"])
        _ = try manager(366).rehearse(
            bench.read(), of: opened, with: [DrillBench.backup(holders[0])], hasStoredBackups: false)
        #expect(try due(366) == [] && due(665) == [] && due(666) == ["family"])
        // A proof from the future proves nothing: a clock or the store was wrong.
        #expect(try due(365) == ["family"])
        // Nobody tried the newest kit.
        let later = manager(400)
        _ = try later.write(
            later.kit(of: opened), of: opened, with: [KitFile(.readMe, "r"), KitFile(.page, "p")], to: bench.kit,
            overwriting: true)
        #expect(try due(400) == ["family"])
        let stored = try later.wallet(named: "family")
        _ = try later.rehearse(
            bench.read(), of: stored, with: [DrillBench.backup(holders[0])], hasStoredBackups: false)
        #expect(try due(400) == [])
        // A wallet without a kit is nobody's plan.
        let bare = try DrillBench()
        _ = try await bare.manager.addWallet(
            named: "bare", of: .parsing([try descriptor("multi(2,#A,#B)")]), network: .test)
        #expect(try bare.manager.walletsWithDueDrill().isEmpty)
    }

    /// Whatever an edited or damaged store says.
    @Test(arguments: [Int64.min, -1, 1_700_000_001, Int64.max]) func noProofIsTooOld(_ time: Int64) {
        for drill in [
            WalletDrill(proven: [1: UnixTime(seconds: time)]),
            WalletDrill(kits: [[1]: DrillBench.start], proven: [1: UnixTime(seconds: time), 2: DrillBench.start]),
        ] {
            #expect(drill.isDue(at: DrillBench.start) { [1, 2] })
        }
        let sound = WalletDrill(kits: [[1]: DrillBench.start], proven: [1: DrillBench.start])
        #expect(!sound.isDue(at: DrillBench.start) { [1] })
        let unproven = WalletDrill(kits: [[1]: DrillBench.start])
        #expect(unproven.isDue(at: DrillBench.start) { [1] } && !unproven.isDue(at: DrillBench.start) { [] })
    }
}
