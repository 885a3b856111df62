import Bitcoin
import ByteCodec
import FlowSupport
import Foundation
import TapProtocol
import TestSupport
import Testing

@testable import TapManager

/// A kit has what heirs need and no secret; one that was altered, or made to harm, is told.
@Suite struct WalletKitTests {
    private let bench: DrillBench
    private let holders: [SampleWallet]

    init() throws {
        bench = try DrillBench()
        holders = try [1, 2, 3].map { try SampleWallet(seed: $0) }
    }

    private func written() async throws -> OpenedWallet {
        let policy = SamplePolicy("or_d(multi(2,#A,#B),and_v(v:pkh(#C),older(52560)))", holders)
        return try await bench.written(try #require(policy.descriptor().text))
    }

    private func text(_ name: KitFile.Name) throws -> String {
        try String(contentsOfFile: bench.kit + "/" + name.rawValue, encoding: .utf8)
    }

    /// Gives the main document the digest that a file has now.
    private func conceal(_ name: KitFile.Name, was old: String) throws {
        let digests = [old, try text(name)].map { Hex.encode(SHA256.hash(Array($0.utf8))) }
        try bench.change(.document) { $0.replacingOccurrences(of: digests[0], with: digests[1]) }
    }

    @Test func itHasWhatHeirsNeed() async throws {
        let card = try CardRecord(
            publicKey: holders[0].publicKey(DerivationPath()), product: .tapsigner, isTestnet: true,
            fingerprint: holders[0].fingerprint, lastSeen: DrillBench.start, name: "Blue")
        bench.store.save(card)
        let backup = try Backup.encrypted(holders[0].master)
        bench.store.save(StoredBackup(card: card.ident, ciphertext: backup, count: 1, created: DrillBench.start))
        let opened = try await written()
        let json = try JSONReader.value(Array(try text(.document).utf8))
        #expect(json["name"]?.string == "family" && json["network"]?.string == "test")
        let known = try #require(json["cards"]?.array?.first)
        #expect(known["ident"]?.string == card.ident.description && known["name"]?.string == "Blue")
        #expect(known["backups"]?.array?.first?["sha256"]?.string == Hex.encode(SHA256.hash(backup.bytes)))
        #expect(json["wallet"]?["paths"]?.array?.map { $0["path"]?.integer } == [1, 2])
        #expect(json["wallet"]?["paths"]?.array?[1]["older"]?.array == [.integer(52_560)])
        let address = try opened.wallet.address(at: opened.wallet.branches[0].place(0)).description
        #expect(json["wallet"]?["branches"]?.array?.first?["first_address"]?.string == address)
        #expect(try text(.descriptors) == opened.stored.descriptors.map { "\($0)\n" }.joined())
        // No secret, and nothing that lets a listener learn a CVC.
        for name in KitFile.Name.allCases { #expect(try !text(name).contains("prv")) }
        let modes = try (["", "/wallet.json", "/page.svg"]).map {
            try FileManager.default.attributesOfItem(atPath: bench.kit + $0)[.posixPermissions] as? Int
        }
        #expect(modes == [0o700, 0o600, 0o600])
        try bench.manager.require(bench.read(), of: opened)
    }

    /// The dates are those of the last synchronization.
    @Test func itSaysWhenPathsOpen() async throws {
        let opened = try await written()
        let place = opened.wallet.branches[0].place(0)
        let funding = try SampleWallet.funding(opened.wallet.script(at: place), amount: 5_000, salt: 1)
        let time = UnixTime(seconds: 1_690_000_000)
        try bench.store.save(
            WalletChain(
                network: .test, server: "s", height: 1_000, time: time, hasHistory: true, areSpendsProven: true,
                scripts: [.init(place: place, script: opened.wallet.script(at: place), isUsed: true)],
                transactions: [WalletTransaction(transaction: funding, id: funding.id, height: 900)],
                coins: [
                    WalletCoin(
                        outpoint: Outpoint(transactionID: funding.id, index: 1), output: funding.outputs[1],
                        place: place, height: 900, isCoinbase: false)
                ]), of: opened.stored, at: UnixTime(seconds: 3_000_000_000))
        try bench.write(opened, overwriting: true)
        let json = try JSONReader.value(Array(try text(.document).utf8))
        let opening = try #require(json["openings"]?.array?.first)
        #expect(json["height"]?.integer == 1_000 && opening["path"]?.integer == 2)
        #expect(opening["coins"]?.integer == 1 && opening["open_coins"]?.integer == 0)
        #expect(opening["next_height"]?.integer == 53_460)
        #expect(opening["next_at"]?.string == UnixTime(seconds: time.seconds + 52_460 * 600).iso8601)
    }

    @Test func anotherKitIsNotOverwritten() async throws {
        let opened = try await written()
        #expect(throws: OverwritingError.self) { try bench.write(opened) }
        #expect(throws: OverwritingError.self) {
            try bench.manager.requireRoom(forKitIn: bench.kit, overwriting: false)
        }
        try bench.write(opened, overwriting: true)
        // Not even on request is anything replaced that is not a file.
        let page = bench.kit + "/page.svg"
        try FileManager.default.removeItem(atPath: page)
        try FileManager.default.createSymbolicLink(atPath: page, withDestinationPath: bench.folder.path("precious"))
        #expect(throws: OverwritingError.exists(page)) {
            try bench.manager.requireRoom(forKitIn: bench.kit, overwriting: true)
        }
        #expect(throws: OverwritingError.exists(page)) { try bench.write(opened, overwriting: true) }
        #expect(throws: WritingError.self) {
            try KitFolder(path: bench.folder.path("none/kit")).write([], overwriting: false) { _ in }
        }
    }

    /// What differs has a name.
    @Test func anAlteredKitIsTold() async throws {
        let opened = try await written()
        func expect(_ difference: KitDifference, _ alter: () throws -> Void) throws {
            try bench.write(opened, overwriting: true)
            try alter()
            #expect(throws: KitError.altered(difference)) { try bench.manager.require(bench.read(), of: opened) }
        }
        for name in [KitFile.Name.descriptors, .core, .readMe, .page] {
            try expect(.file(name)) { try bench.change(name) { $0 + "\n" } }
        }
        // With its digest corrected, a file that programs read still has to be the wallet's.
        for (name, old, new) in [(KitFile.Name.descriptors, "52560", "1"), (.core, "52560", "1")] {
            try expect(.file(name)) {
                let text = try text(name)
                try bench.change(name) { $0.replacingOccurrences(of: old, with: new) }
                try conceal(name, was: text)
            }
        }
        try expect(.derived("branches")) {
            let address = try opened.wallet.address(at: opened.wallet.branches[0].place(0)).description
            let other = try opened.wallet.address(at: opened.wallet.branches[0].place(1)).description
            try bench.change(.document) { $0.replacingOccurrences(of: address, with: other) }
        }
        try expect(.derived("paths")) {
            try bench.change(.document) {
                $0.replacingOccurrences(of: " 52560\n", with: " 52561\n")
            }
        }
        try expect(.derived("keys")) {
            try bench.change(.document) {
                $0.replacingOccurrences(of: "\"path\" : \"m/48h/1h/0h/2h\"", with: "\"path\" : \"m\"")
            }
        }
        // Somebody who imports the wallet in Bitcoin Core shall see every payment.
        for (old, new) in [(#""timestamp": ?0"#, #""timestamp":"now""#), (", ?999]", ",9]")] {
            try expect(.file(.core)) {
                let text = try text(.core)
                try bench.change(.core) { $0.replacingOccurrences(of: old, with: new, options: .regularExpression) }
                try conceal(.core, was: text)
            }
        }
    }

    /// Somebody gave the same wallet another name; another wallet by another name is a mistake.
    @Test func theNameCounts() async throws {
        let opened = try await written()
        try bench.change(.document) { $0.replacingOccurrences(of: "\"family\"", with: "\"home\"") }
        #expect(throws: KitError.unknown) { try bench.manager.require(bench.read(), of: opened) }
        let other = try await bench.manager.addWallet(
            named: "other", of: .parsing([try #require(SamplePolicy("multi(2,#A,#B)", holders).descriptor().text)]),
            network: .test
        ).wallet
        #expect(throws: KitError.otherWallet("home", asked: "other")) {
            try bench.manager.require(bench.read(), of: other)
        }
        #expect(KitError.otherWallet("home", asked: "other").code == .badKit)
    }

    /// Everybody can write a card's fingerprint: without a proof of the key, the kit does not say that the card has it.
    @Test func aKeyThatTheCardDoesNotHaveIsTold() async throws {
        let card = try CardRecord(
            publicKey: holders[0].publicKey(DerivationPath()), product: .tapsigner, isTestnet: true,
            fingerprint: holders[0].fingerprint, lastSeen: DrillBench.start, name: "Blue")
        bench.store.save(card)
        let opened = try await written()
        #expect(try bench.manager.kit(of: opened).cards.map(\.provenKeys) == [[]])
        let key = try #require(opened.wallet.shownKeys.first { $0.origin?.fingerprint == holders[0].fingerprint })
        let origin = try #require(key.origin)
        func prove(_ holder: SampleWallet) throws {
            bench.store.save(
                ProvenAccount(
                    cardKey: card.publicKey, path: origin.path, key: try holder.extendedKey(origin.path),
                    proven: DrillBench.start))
        }
        try prove(holders[0])
        #expect(try bench.manager.kit(of: opened).cards.map(\.provenKeys) == [[key]])
        try prove(holders[1])
        let error = WalletError.falseKey(origin, card.ident)
        #expect(throws: error) { try bench.manager.kit(of: opened) }
        #expect(error.code == .badProof)
    }

    /// A second key with the same fingerprint is looked at, too.
    @Test func everyKeyOfAFingerprintIsCompared() async throws {
        let path = try DerivationPath(parsing: "m/48h/1h/0h/2h")
        let keys = try [holders[0], holders[1]].enumerated().map { number, holder in
            let own = try DerivationPath(parsing: "m/48h/1h/\(number)h/2h")
            let origin = KeyOrigin(fingerprint: holders[0].fingerprint, path: own)
            return "\(origin)\(try holder.extendedKey(own).text)/<0;1>/*"
        }
        let opened = try await bench.manager.addWallet(
            named: "pair", of: .parsing(["wsh(sortedmulti(2,\(keys.joined(separator: ","))))"]), network: .test
        ).wallet
        let card = try CardRecord(
            publicKey: holders[0].publicKey(DerivationPath()), product: .tapsigner, isTestnet: true,
            fingerprint: holders[0].fingerprint, lastSeen: DrillBench.start)
        bench.store.save(card)
        let second = try DerivationPath(parsing: "m/48h/1h/1h/2h")
        for own in [path, second] {
            bench.store.save(
                ProvenAccount(
                    cardKey: card.publicKey, path: own, key: try holders[0].extendedKey(own), proven: DrillBench.start))
        }
        #expect(
            throws: WalletError.falseKey(KeyOrigin(fingerprint: holders[0].fingerprint, path: second), card.ident)
        ) { try bench.manager.kit(of: opened) }
    }

    /// Cards make no signatures for taproot: neither a stored wallet nor somebody's folder is taken for one from which
    /// heirs can spend.
    @Test(arguments: ["tr(%)", "tr(50929b74c1a04954b78b4b6035e97a5e078a5a0f28ec96d547bfee9ace803ac0,pk(%))"])
    func thereIsNoKitForTaproot(_ form: String) async throws {
        let path = try DerivationPath(parsing: "m/86h/1h/0h")
        let origin = KeyOrigin(fingerprint: holders[0].fingerprint, path: path)
        let key = "\(origin)\(try holders[0].extendedKey(path).text)/<0;1>/*"
        let opened = try await bench.manager.addWallet(
            named: "tap", of: .parsing([form.replacingOccurrences(of: "%", with: key)]), network: .test
        ).wallet
        #expect(throws: KitError.taproot) { try bench.manager.kit(of: opened) }
        #expect(KitError.taproot.code == .notSupported)
        let view = try bench.manager.overview(of: opened, nil)
        let kit = try WalletKit(opened.wallet, view, in: bench.store, at: DrillBench.start)
        let texts = [KitFile(.readMe, "read me\n"), KitFile(.page, "<svg/>\n")]
        try KitFolder(path: bench.kit).write(kit.files(with: texts), overwriting: false) { _ in }
        #expect(throws: KitError.taproot) { try bench.read() }
    }

    /// Heights and times are the server's and the store's: any number.
    @Test(arguments: [(.max, .max), (.min, .min), (1_000, .max), (.min, 0)] as [(Int, Int64)])
    func noTimeIsTooLarge(_ height: Int, _ time: Int64) async throws {
        let opened = try await written()
        let chain = WalletChain(
            network: .test, server: "s", height: height, time: UnixTime(seconds: time), hasHistory: true, scripts: [],
            transactions: [], coins: [])
        let view = try WalletOverview(opened, chain, in: bench.store, at: DrillBench.start)
        let kit = try WalletKit(opened.wallet, view, in: bench.store, at: DrillBench.start)
        #expect(kit.clock?.time(ofBlock: 900_000) == nil && kit.lacksDates)
        let sane = WalletChain(
            network: .test, server: "s", height: 1_000, time: DrillBench.start, hasHistory: true, scripts: [],
            transactions: [], coins: [])
        let known = try WalletKit(
            opened.wallet, WalletOverview(opened, sane, in: bench.store, at: DrillBench.start), in: bench.store,
            at: DrillBench.start)
        #expect(known.clock?.time(ofBlock: 1_001) == UnixTime(seconds: DrillBench.start.seconds + 600))
        #expect(!known.lacksDates && known.clock?.time(ofBlock: Int.max) == nil)
    }

    /// A whole kit of another wallet, which is consistent in itself.
    @Test func anotherWalletsKitIsTold() async throws {
        let opened = try await written()
        let thief = try DrillBench()
        let policy = SamplePolicy("or_d(multi(2,#A,#B),and_v(v:pkh(#C),older(1)))", holders)
        try await thief.written(try #require(policy.descriptor().text))
        let kit = try thief.read()
        #expect(throws: KitError.altered(.descriptor(1))) { try bench.manager.require(kit, of: opened) }
        #expect(throws: KitError.altered(.descriptor(1))) {
            try bench.manager.rehearse(
                kit, of: opened, with: [DrillBench.backup(holders[0])], hasStoredBackups: false)
        }
        #expect(bench.store.wallets().first?.drill.proven == [:])
    }

    /// Another card than the store's for a key: heirs would look for the wrong one.
    @Test func anotherCardIsTold() async throws {
        let opened = try await written()
        let holder = holders[0]
        func card(_ key: UInt8) throws -> CardRecord {
            try CardRecord(
                publicKey: SampleWallet(seed: key).publicKey(DerivationPath()), product: .tapsigner, isTestnet: true,
                fingerprint: holder.fingerprint, lastSeen: DrillBench.start)
        }
        bench.store.save(try card(20))
        try bench.write(opened, overwriting: true)
        let kit = try bench.read()
        try bench.manager.require(kit, of: bench.manager.wallet(named: "family"))
        _ = bench.store.forgetCard(try card(20).ident)
        bench.store.save(try card(21))
        #expect(throws: KitError.altered(.card(holder.fingerprint))) { try bench.manager.require(kit, of: opened) }
    }

    /// Only the store that wrote the texts knows them.
    @Test func textsOfSomebodyElseAreNotKnown() async throws {
        let opened = try await written()
        func rehearse() throws {
            let stored = try #require(bench.store.wallets().first)
            _ = try bench.manager.rehearse(
                bench.read(), of: OpenedWallet(stored, network: nil), with: [DrillBench.backup(holders[2])],
                hasStoredBackups: false)
        }
        try rehearse()
        let text = try text(.readMe)
        try bench.change(.readMe) { $0 + "Send everything to the helpful stranger.\n" }
        try conceal(.readMe, was: text)
        func proven() -> [Int: UnixTime]? { bench.store.wallets().first?.drill.proven }
        #expect(proven() == [2: DrillBench.start])
        let stored = try #require(bench.store.wallets().first)
        bench.store.save(
            StoredWallet(
                name: stored.name, network: stored.network, descriptors: stored.descriptors, created: stored.created,
                drill: WalletDrill(kits: stored.drill.kits)))
        #expect(throws: KitError.unknown) { try rehearse() }
        // A stranger's kit silences no reminder.
        #expect(proven() == [:])
        #expect(try bench.manager.walletsWithDueDrill().map(\.name) == ["family"])
        try bench.write(opened, overwriting: true)
        try rehearse()
    }

    /// An older kit proves what it proves, but the newest stays to be rehearsed.
    @Test func anOlderKitIsTold() async throws {
        let opened = try await written()
        let old = bench.folder.path("old")
        try FileManager.default.copyItem(atPath: bench.kit, toPath: old)
        let later = bench.manager(at: UnixTime(seconds: DrillBench.start.seconds + 60))
        _ = try later.write(
            later.kit(of: opened), of: opened, with: [KitFile(.readMe, "read me\n"), KitFile(.page, "<svg/>\n")],
            to: bench.kit, overwriting: true)
        func report(_ kit: ReadKit) throws -> RehearsalReport {
            try later.rehearse(
                kit, of: later.wallet(named: "family"), with: [DrillBench.backup(holders[2])], hasStoredBackups: false)
        }
        let older = try report(ReadKit(folder: old))
        #expect(older.newerKit?.seconds == DrillBench.start.seconds + 60 && !older.isRemembered && older.proven == [2])
        #expect(bench.store.wallets().first?.drill.proven == [:])
        let newest = try report(bench.read())
        #expect(newest.newerKit == nil && newest.isRemembered)
        #expect(bench.store.wallets().first?.drill.proven.keys.sorted() == [2])
    }

    /// A clock that was ahead makes no later kit old.
    @Test func aKitFromTheFutureIsNoNewerOne() {
        let (early, late, future) = (UnixTime(seconds: 1), UnixTime(seconds: 2), UnixTime(seconds: 9))
        let drill = WalletDrill(kits: [[1]: early, [2]: late, [3]: future])
        #expect(drill.kit(newerThan: [1], at: late) == late)
        #expect(drill.kit(newerThan: [2], at: late) == nil && drill.kit(newerThan: [3], at: late) == nil)
        #expect(drill.kit(newerThan: [2], at: future) == future)
    }

    /// What lies beside a kit has no digest in it.
    @Test func otherFilesAreNamed() async throws {
        _ = try await written()
        #expect(try bench.read().others.isEmpty)
        for name in ["page.pdf", "READ-ME-FIRST.txt", ".hidden"] {
            try "Pay the stranger.".write(toFile: bench.kit + "/" + name, atomically: false, encoding: .utf8)
        }
        try FileManager.default.createDirectory(atPath: bench.kit + "/more", withIntermediateDirectories: false)
        #expect(try bench.read().others == ["READ-ME-FIRST.txt", "more", "page.pdf"])
    }

    /// Whoever writes a folder can neither make the program hang nor read anything else.
    @Test func aHostileFolderIsRefused() async throws {
        let opened = try await written()
        let document = bench.kit + "/wallet.json"
        func expect(_ error: KitError, _ harm: () throws -> Void) throws {
            try bench.write(opened, overwriting: true)
            try harm()
            #expect(throws: error) { try bench.read() }
            try? FileManager.default.removeItem(atPath: document)
            try? FileManager.default.removeItem(atPath: bench.kit + "/page.svg")
        }
        try expect(.noFile(.document)) {
            try FileManager.default.moveItem(atPath: document, toPath: bench.folder.path("real"))
            try FileManager.default.createSymbolicLink(
                atPath: document, withDestinationPath: bench.folder.path("real"))
        }
        try expect(.noFile(.page)) {
            try FileManager.default.removeItem(atPath: bench.kit + "/page.svg")
            #expect(mkfifo(bench.kit + "/page.svg", 0o600) == 0)
        }
        try expect(.missing(.document)) { try FileManager.default.removeItem(atPath: document) }
        try expect(.tooLarge(.document)) { #expect(truncate(document, 1 << 30) == 0) }
        try expect(.newer) {
            try bench.change(.document) { $0.replacingOccurrences(of: "\"version\" : 1", with: "\"version\" : 3") }
        }
        let faults: [(String, KitError)] = [
            ("", .malformed(.document)), ("[]", .malformed(.document)), ("{}", .malformed(.document)),
            (String(repeating: "[", count: 100_000), .excess(.document, .depth)),
            ("{\"format\":\"tapkit-kit\",\"version\":1}", .malformed(.document)),
        ]
        for (text, fault) in faults {
            try expect(fault) { try text.write(toFile: document, atomically: false, encoding: .utf8) }
        }
        try expect(.wallet(.badName("fam\u{1B}[2Jily"))) {
            try bench.change(.document) { $0.replacingOccurrences(of: "\"family\"", with: "\"fam\\u001b[2Jily\"") }
        }
        try expect(.wallet(.descriptor(1, .checksum(.mismatch)))) {
            try bench.change(.document) { $0.replacingOccurrences(of: "older(52560)", with: "older(1)") }
        }
        #expect(throws: KitError.noFolder(bench.folder.path("none"))) { try ReadKit(folder: bench.folder.path("none")) }
    }
}
