import Bitcoin
import FlowSupport
import Synchronization
import TapProtocol
import TapSimulator
import TestSupport
import Testing

@testable import TapManager

/// Somebody who can only write to the store plants unfinished work there that would move the card to where nobody looks for
/// its money: ransom, once card and store are lost.
///
/// Spec: threats, "The store and what is resumed".
@Suite struct PlantedPathTests {
    private static let far = "m/84h/1h/0h/1838475839h/2038475831h/938475839h/138475839h/1000000007h"

    /// What is planted.
    enum Kind: CaseIterable, Sendable {
        case derive, sign, setup

        func state(from home: DerivationPath, to path: DerivationPath) throws -> FlowState {
            switch self {
            case .derive: .derive(DeriveState(from: home, to: path))
            case .sign:
                try .sign(
                    SignState(
                        transaction: #require(TransactionID([UInt8](repeating: 0xAB, count: 32))), ownPath: path,
                        total: 1))
            case .setup:
                .setup(
                    SetupState(
                        step: .settingPath, chainCode: nil, path: path, backupFile: nil, keepsCVC: true,
                        isCVCChanged: false))
            }
        }
    }

    /// What takes up unfinished work.
    enum Use: CaseIterable, Sendable {
        case keys, verify, compareBackup, message, visit, messageElsewhere, sign, setup

        func run(_ driver: CardDriver, _ bench: FlowBench) async throws {
            let cvc = try CVC(FlowBench.cvc)
            switch self {
            case .keys: _ = try await AccountFlow(driver: driver, cvc: cvc).keys()
            case .verify: _ = try await VerifyFlow(driver: driver, cvc: cvc).run()
            case .compareBackup:
                _ = try await BackupCheckFlow(driver: driver, cvc: cvc).check(.made(of: bench.wallet().master))
            case .message:
                _ = try await MessageFlow(driver: driver, cvc: cvc, network: .test)
                    .sign([1], by: .path(DerivationPath(), nil), format: .bip137)
            case .visit:
                _ = try await PathVisitFlow(driver: driver, cvc: cvc).keys(at: [DerivationPath(parsing: "m/44h/1h/0h")])
            case .messageElsewhere:
                _ = try await PathVisitFlow(driver: driver, cvc: cvc)
                    .sign([1], at: DerivationPath(parsing: "m/44h/1h/0h/0/0"), as: .p2pkh, network: .test)
            case .sign:
                let flow = SignFlow(driver: driver, cvc: cvc)
                _ = await flow.sign(
                    try await flow.prepare(bench.wallet().psbt(), network: nil, policy: SigningPolicy()))
            case .setup:
                let goal = SetupFlow.Goal(
                    path: nil, chainCode: ChainCode(repeating: 1), isChainCodeNamed: false, newCVC: nil)
                _ = try await SetupFlow(driver: driver, cvc: cvc, goal: goal).run { _ in }
            }
        }
    }

    /// A card that an interrupted run left at `m`, and what is in its journal.
    private func bench(
        _ kind: Kind, _ path: DerivationPath
    ) async throws -> (bench: FlowBench, home: DerivationPath) {
        var generator = SeededGenerator()
        let bench = try await FlowBench.ready(using: &generator)
        let home = try #require(bench.record.path)
        _ = try await bench.run { driver in
            try await driver.perform { try $0.setPath(DerivationPath(), cvc: CVC(FlowBench.cvc)) }
        }
        bench.store.record(try kind.state(from: home, to: path), of: bench.ident, at: 1)
        return (bench, home)
    }

    @Test(arguments: Kind.allCases, Use.allCases) func isNotTakenUp(_ kind: Kind, _ use: Use) async throws {
        let far = try DerivationPath(parsing: Self.far)
        let (bench, home) = try await bench(kind, far)
        let entries = bench.store.flows()
        let failure = await expectFailure("\(kind), \(use)") { try await bench.run { try await use.run($0, bench) } }
        #expect(failure == .unknownPath(far) && failure?.code == .badPath)
        #expect(bench.record.path == DerivationPath() && bench.store.flows() == entries)

        // The user knows which path is theirs.
        _ = try await bench.run { try await AccountFlow(driver: $0, cvc: CVC(FlowBench.cvc)).derive(home) }
        try await bench.run { try await use.run($0, bench) }
        #expect(bench.record.path == home)
    }

    @Test(arguments: Kind.allCases) func isTakenUpByWhoeverChoseIt(_ kind: Kind) async throws {
        let far = try DerivationPath(parsing: Self.far)
        let (bench, _) = try await bench(kind, far)
        let account = try await bench.run { try await AccountFlow(driver: $0, cvc: CVC(FlowBench.cvc)).derive(far) }
        #expect(account.path == far && bench.record.path == far)
        let again = try await bench.run { try await AccountFlow(driver: $0, cvc: CVC(FlowBench.cvc)).keys().account }
        #expect(again == account)
    }

    /// Where the card has proven its account before, or wallets look, it is moved, and that is told.
    @Test(arguments: [
        ("m/84h/1h/7h", true), ("m/44h/1h/20h", true), ("m/86h/1h/0h", true), ("m/48h/1h/3h/2h", true),
        ("m/48h/1h/0h/1h", true), ("m/84h/1h/21h", false), ("m/84h/0h/0h", false), ("m/84h/1h", false),
        ("m/84h/1h/0h/0h", false), ("m/48h/1h/0h/3h", false), ("m/48h/1h/0h", false), ("m/1h", false),
    ])
    func whereWalletsLookIsTakenUp(_ text: String, _ isFound: Bool) async throws {
        let path = try DerivationPath(parsing: text)
        for isProven in [false, true] {
            let (bench, home) = try await bench(.derive, path)
            if isProven {
                bench.store.finish(.derive, of: bench.ident)
                for path in [path, home] {
                    _ = try await bench.run { try await AccountFlow(driver: $0, cvc: CVC(FlowBench.cvc)).derive(path) }
                }
                bench.store.record(.derive(DeriveState(from: home, to: path)), of: bench.ident, at: 1)
            }
            let events = Mutex<[FlowEvent]>([])
            let account: Account?
            do {
                account = try await bench.run(events: { event in events.withLock { $0.append(event) } }) {
                    try await AccountFlow(driver: $0, cvc: CVC(FlowBench.cvc)).keys().account
                }
            } catch FlowError.unknownPath(path) { account = nil }
            #expect((account?.path == path) == (isFound || isProven), "\(text), \(isProven)")
            #expect((bench.record.path == path) == (isFound || isProven))
            #expect(events.withLock { $0.contains(.changingPath(path)) } == (isFound || isProven))
        }
    }

    /// A false key beside the work makes the path look proven, until the card shows its own key there. What was going to move
    /// the card anyway leaves it where that was done.
    @Test(arguments: Use.allCases) func aFalseProvenKeyDoesNotKeepTheCardThere(_ use: Use) async throws {
        let far = try DerivationPath(parsing: Self.far)
        let (bench, home) = try await bench(provenFalselyAt: far)
        try await Self.run(use, on: bench)
        #expect(bench.record.path == (try Self.visited(by: use, from: home)) && !bench.store.flows().isEmpty)
    }

    /// A card that owes the path, where the store has a key of another path as proven.
    private func bench(provenFalselyAt far: DerivationPath) async throws -> (bench: FlowBench, home: DerivationPath) {
        let (bench, home) = try await bench(.derive, far)
        let cardKey = try bench.record.cardKey
        let own = try #require(bench.store.provenAccount(of: cardKey, at: DerivationPath()))
        bench.store.save(ProvenAccount(cardKey: cardKey, path: far, key: own.key, proven: own.proven))
        return (bench, home)
    }

    /// It may only fail because the key is not the remembered one.
    private static func run(_ use: Use, on bench: FlowBench, patience: Patience? = nil) async throws {
        do {
            try await bench.run(patience: patience) { try await use.run($0, bench) }
        } catch let error as FlowError {
            #expect(error.failedProof == .remembered)
        }
    }

    /// Where the card is before it is moved to the path that it owes.
    private static func visited(by use: Use, from home: DerivationPath) throws -> DerivationPath {
        switch use {
        case .visit, .messageElsewhere: try DerivationPath(parsing: "m/44h/1h/0h")
        case .sign: home
        default: DerivationPath()
        }
    }

    /// The same if the card is lost as soon as it is there: whoever goes on finds it there, and must know where it was.
    @Test(arguments: Use.allCases) func aFalseProvenKeyDoesNotKeepALostCardThere(_ use: Use) async throws {
        let far = try DerivationPath(parsing: Self.far)
        let (bench, home) = try await bench(provenFalselyAt: far)
        let losses = Mutex(0)
        bench.watch.disturbance = FunctionInterceptor(onAnswer: { [bench] _, exchange in
            guard exchange.name == "derive", bench.record.path == far else { return .pass }
            return losses.withLock { losses in
                losses += 1
                return losses == 1 ? .pull(.whenAwaited) : .pass
            }
        })
        try await Self.run(use, on: bench, patience: .limited(.seconds(20)))
        #expect(losses.withLock { $0 } >= 1)
        #expect(bench.record.path == (try Self.visited(by: use, from: home)) && !bench.store.flows().isEmpty)
    }

    /// Nobody is told to move the card to the planted path.
    @Test func nobodyIsSentThere() async throws {
        let far = try DerivationPath(parsing: Self.far)
        let (bench, _) = try await bench(.derive, far)
        let person = ScriptedInteraction(cvc: FlowBench.cvc)
        let manager = try bench.manager(person)
        await #expect(throws: FlowError.unknownPath(far)) { try await manager.keys(at: [], of: manager.card()) }
        #expect(!person.entries.contains { if case .notice(.leftAway) = $0 { true } else { false } })
        #expect(manager.unfinished(of: bench.ident).flows.map(\.isPathKnown) == [false])
    }
}
