import Bitcoin
import ByteCodec
import FlowSupport
import TapManager
import TapProtocol
import TapSimulator
import TestSupport
import Testing

/// The matrix is about something: each habit changes what a card says, so that a reader that takes only what the documents
/// promise would stop at it.
@Suite struct HabitMarkTests {
    /// What passes in some flows of every product.
    private func log(_ habits: Set<CardHabit>) async throws -> ExchangeLog {
        let log = ExchangeLog()
        for (stage, flows) in [
            (HabitStage.readyTapsigner, [HabitFlow.verify, .account, .derive, .signPSBT]), (.readySatschip, [.verify]),
            (.sealedSlot, [.verify, .unseal]), (.unusedSlot, [.verify]),
        ] {
            let original = try await stage.bench()
            for flow in flows {
                var bench = try original.copy(habits: habits)
                bench.watch.disturbance = log
                bench.trace = log.record
                _ = try await flow.run(bench)
            }
        }
        return log
    }

    @Test func eachHabitShowsAndNoOther() async throws {
        let none = try await log([])
        #expect(!none.events.contains { if case .form = $0 { true } else { false } })
        for habit in CardHabit.allCases {
            let log = try await log([habit])
            for other in CardHabit.allCases {
                let shown = log.entries.compactMap { other.shows(in: $0) }
                guard other == habit else {
                    // Half of all signatures would have a high R by chance: only those of `sign` have a low one.
                    #expect(!shown.contains(true), "\(habit.rawValue) shows as \(other.rawValue)")
                    continue
                }
                #expect(shown.allSatisfy { $0 }, "\(habit.rawValue) does not always show")
                #expect(!shown.isEmpty || Self.unseen.contains(habit), "\(habit.rawValue)")
            }
            let isSaid = log.events.contains { if case .form = $0 { true } else { false } }
            #expect(isSaid == Self.said.contains(habit), "\(habit.rawValue)")
        }
    }

    /// Habits that do not show in an answer by itself.
    private static let unseen: Set<CardHabit> = [.zerosInCheck, .derivedKeySigns, .otherMasterKeys]

    /// Habits that the trace names as forms: the documents say otherwise.
    private static let said: Set<CardHabit> = [
        .oneCertificate, .threeCertificates, .highS, .zerosInCheck, .missingFields, .missingNonces, .oddBirth,
        .otherProtocol, .oddXpub, .versionSuffix, .unreadableVersion, .addressEnds, .chipAlone,
    ]

    @Test func zerosAreSignedOverAnUnusedSlot() async throws {
        let events = try await log([.zerosInCheck]).events
        #expect(events.contains(.form(command: "check", detail: "33 zero bytes were signed in place of a slot's key")))
    }

    @Test func theDerivedKeySigns() async throws {
        #expect(try await log([]).events.contains(.deriveSigned(by: .master)))
        #expect(try await log([.derivedKeySigns]).events.contains(.deriveSigned(by: .derived)))
    }

    /// Plain, the master key is the same in two answers; hidden, it never is.
    @Test func masterKeysAreHiddenTheOtherWayRound() async throws {
        let original = try await HabitStage.sealedSlot.bench()
        func masterKeys(_ habits: Set<CardHabit>, _ flow: HabitFlow, _ command: String) async throws -> Set<[UInt8]> {
            var keys: Set<[UInt8]> = []
            for _ in 0..<2 {
                let log = ExchangeLog()
                let bench = try original.copy(habits: habits)
                bench.watch.disturbance = log
                _ = try await flow.run(bench)
                keys.formUnion(log.entries.filter { $0.name == command }.compactMap { $0.bytes("master_pk") }.prefix(1))
            }
            return keys
        }
        #expect(try await masterKeys([], .unseal, "unseal").count == 1)
        #expect(try await masterKeys([.otherMasterKeys], .unseal, "unseal").count == 2)
        #expect(try await masterKeys([], .slotsWithKeys, "dump").count == 2)
        #expect(try await masterKeys([.otherMasterKeys], .slotsWithKeys, "dump").count == 1)
    }
}
