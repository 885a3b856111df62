import Bitcoin
import FlowSupport
import SmartCard
import TapProtocol
import TapSimulator
import TestSupport
import Testing

@testable import TapManager

/// A card that visits other paths than its own: it comes back, whatever happens on the way.
@Suite struct PathVisitTearTests {
    private static let paths = ["m/44h/1h/0h", "m/49h/1h/0h", "m/84h/1h/0h", "m"]

    /// What is not brought back yet.
    private static func requireReturn(_ bench: FlowBench) throws {
        guard bench.store.flows(of: bench.ident).isEmpty else {
            throw FlowError.card(.reader(ReaderError(.noCard, "The card's path was not put back.")))
        }
    }

    @Test func keysOfSeveralAccounts() async throws {
        var generator = SeededGenerator()
        let bench = try await FlowBench.ready(using: &generator)
        let own = try #require(bench.record.path)
        let paths = try Self.paths.map { try DerivationPath(parsing: $0) }
        let tear = Tear { driver, bench, _ in
            let keys = try await PathVisitFlow(driver: driver, cvc: CVC(FlowBench.cvc)).keys(at: paths)
            let wallet = try bench.wallet()
            #expect(keys.masterFingerprint == wallet.fingerprint)
            for path in paths { #expect(keys.accounts[path]?.publicKey == (try wallet.publicKey(path)), "\(path)") }
            try Self.requireReturn(bench)
        } check: { bench, cell in
            #expect(bench.record.path == own && bench.watch.wrongCVCs == 0, "\(cell)")
        }
        try await tear.run(on: bench, "keys at other paths")
    }

    @Test func messageAtAnotherPath() async throws {
        var generator = SeededGenerator()
        let bench = try await FlowBench.ready(using: &generator)
        let own = try #require(bench.record.path)
        let path = try DerivationPath(parsing: "m/44h/1h/0h/0/7")
        let tear = Tear { driver, bench, _ in
            let signed = try await PathVisitFlow(driver: driver, cvc: CVC(FlowBench.cvc))
                .sign(Array("It is I.".utf8), at: path, as: .p2pkh, network: .regtest)
            let key = try bench.wallet().publicKey(path)
            #expect(signed.address == Address(scriptPubKey: .p2pkh(key), network: .regtest))
            try Self.requireReturn(bench)
        } check: { bench, cell in
            #expect(bench.record.path == own && bench.watch.wrongCVCs == 0, "\(cell)")
        }
        try await tear.run(on: bench, "message at another path")
    }

    @Test func comesBackFromWhereAnInterruptedRunLeftIt() async throws {
        var generator = SeededGenerator()
        let bench = try await FlowBench.ready(using: &generator)
        let (own, away) = (try #require(bench.record.path), try DerivationPath(parsing: "m/44h/1h/0h"))
        _ = try await bench.run { driver in
            try driver.journal.record(.derive(DeriveState(from: away, to: own)))
            _ = try await driver.perform { try $0.setPath(away, cvc: CVC(FlowBench.cvc)) }
        }
        #expect(bench.record.path == away)
        let keys = try await bench.run {
            try await PathVisitFlow(driver: $0, cvc: CVC(FlowBench.cvc)).keys(at: [away])
        }
        #expect(keys.accounts[away]?.publicKey == (try bench.wallet().publicKey(away)))
        #expect(bench.record.path == own && bench.store.flows().isEmpty)
    }

    @Test func aWrongCVCMovesNothing() async throws {
        var generator = SeededGenerator()
        let bench = try await FlowBench.ready(using: &generator)
        let own = try #require(bench.record.path)
        let away = try DerivationPath(parsing: "m/44h/1h/0h")
        let error = await expectFailure("wrong CVC") {
            try await bench.run { try await PathVisitFlow(driver: $0, cvc: CVC("999999")).keys(at: [away]) }
        }
        #expect(error?.refusesCVC == true)
        #expect(bench.record.path == own && bench.store.flows().isEmpty && bench.watch.wrongCVCs == 1)
    }

    @Test func aWrongCVCIsSentOnceAlsoWhereTheCardWasLeft() async throws {
        var generator = SeededGenerator()
        let bench = try await FlowBench.ready(using: &generator)
        let (own, away) = (try #require(bench.record.path), try DerivationPath(parsing: "m/44h/1h/0h"))
        _ = try await bench.run { driver in
            try driver.journal.record(.derive(DeriveState(from: away, to: own)))
            _ = try await driver.perform { try $0.setPath(away, cvc: CVC(FlowBench.cvc)) }
        }
        for path in [away.appending(DerivationPath([ChildNumber(rawValue: 0)])), own] {
            let before = bench.watch.wrongCVCs
            let error = await expectFailure("wrong CVC") {
                try await bench.run {
                    try await PathVisitFlow(driver: $0, cvc: CVC("999999"))
                        .sign([1], at: path, as: .p2pkh, network: .regtest)
                }
            }
            #expect(error?.refusesCVC == true)
            #expect(bench.record.path == away && bench.watch.wrongCVCs == before + 1)
            #expect(bench.store.flows().count == 1)
        }
    }

    @Test(arguments: ["m/0", "m/0h/0", "m/1h/2h/3h/4h/5h/6h/7h/8h/9h"]) func refusesWhatACardCannotHold(
        _ text: String
    ) async throws {
        var generator = SeededGenerator()
        let bench = try await FlowBench.ready(using: &generator)
        let path = try DerivationPath(parsing: text)
        let error = await expectFailure("\(text)") {
            try await bench.run { try await PathVisitFlow(driver: $0, cvc: CVC(FlowBench.cvc)).keys(at: [path]) }
        }
        guard case .badPath = error else { return #expect(Bool(false), "\(String(describing: error))") }
        #expect(bench.exchangeCount == 0)
    }
}
