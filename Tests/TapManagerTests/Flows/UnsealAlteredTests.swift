import Bitcoin
import ByteCodec
import FlowSupport
import LyingCards
import TapProtocol
import TapSimulator
import TestSupport
import Testing

@testable import TapManager

/// The answers to a command that opens a slot, altered on the way: the key is found all the same, or the next run finds it.
@Suite struct UnsealAlteredTests {
    /// One byte of one answer.
    private struct Place {
        let exchange: Int
        let offset: Int
        let mask: UInt8
    }

    /// What became of the cells.
    private struct Counts {
        var found = 0
        var refused = 0
    }

    /// Every byte of every answer, one bit each.
    @Test(arguments: [(1, false), (4, true)]) func everyByte(_ opened: Int, _ isBlank: Bool) async throws {
        var generator = SeededGenerator()
        let original = try FlowBench.satscard(opened: opened, isBlank: isBlank, using: &generator)
        let places = try await self.places(original, using: &generator)
        try await LongWork.inTurn {
            try await alter(original, places, slot: isBlank ? opened - 1 : opened, "1.0.3, \(opened) opened")
        }
    }

    /// Some bytes, on the earlier versions.
    @Test(arguments: [TapSimulator.AppletVersion.v090, .v100, .v102]) func someBytesOfEarlierVersions(
        _ version: TapSimulator.AppletVersion
    ) async throws {
        var generator = SeededGenerator()
        let original = try FlowBench.satscard(version, opened: 3, using: &generator)
        let places = try await self.places(original, using: &generator).shuffled(using: &generator).prefix(250)
        try await LongWork.inTurn { try await alter(original, Array(places), slot: 3, version.rawValue) }
    }

    /// The answer to `unseal` damaged as a whole: the key comes from `dump` in the same run.
    @Test(arguments: TapSimulator.AppletVersion.allCases) func aWorthlessAnswerToUnseal(
        _ version: TapSimulator.AppletVersion
    ) async throws {
        var generator = SeededGenerator()
        let fields = ["slot", "privkey", "pubkey", "master_pk", "chain_code", "card_nonce"]
        let lies =
            fields.flatMap { [Lie.remove($0), .flip($0, bit: 3), .retype($0, as: .text), .duplicate($0)] } + [
                .empty, .double, .doubleData, .cut(to: 40), .trail([0]), .onlyStatusWord(0x9000), .statusWord(0x6F00),
                .onlyStatusWord(0x6D00), .stale, .error(406), .error(405), .swap("privkey", "master_pk"),
                .indefiniteLengths, .answer([0x90]),
            ]
        var found = 0
        for opened in [0, 6, 9] {
            let original = try FlowBench.satscard(version, opened: opened, using: &generator)
            for lie in lies {
                let bench = try original.copy()
                bench.watch.disturbance = Liar(when: .command("unseal"), .nth(1), tell: lie)
                let cell: Comment = "\(version.rawValue), \(opened) opened, \(lie)"
                do {
                    let result = try await bench.unseal(patience: .limited(.seconds(20)))
                    #expect(result.opened.slot.index == opened, cell)
                    try bench.expectOwn(result.opened, cell)
                    found += 1
                } catch { Issue.record("\(cell): \(error)") }
                #expect(bench.record.wrongAttempts == 0 && bench.watch.wrongCVCs == 0, cell)
                #expect(try bench.slots().count { $0.state == .unsealed } == opened + 1, cell)
            }
        }
        print("worthless answers to unseal, \(version.rawValue): \(found) keys found")
    }

    /// A refusal that the card did not mean: the key comes from `dump` in the same run where the refusal leaves open what
    /// happened, and otherwise in the next. After 205 and 417 the nonce counts as unused, so the CVC goes under a wrong
    /// mask once, and is refused; but the slot has moved on.
    @Test(arguments: [205, 417, 400, 405, 406, 401, 403, 404, 422, 429] as [UInt64])
    func aRefusalThatIsNotTheCards(_ code: UInt64) async throws {
        var generator = SeededGenerator()
        for opened in [0, 2, 9] {
            let bench = try FlowBench.satscard(opened: opened, using: &generator)
            bench.watch.disturbance = Liar(when: .command("unseal"), .nth(1), tell: .error(code))
            if [400, 405, 406, 205, 417, 401].contains(code) {
                try bench.expectOwn(try await bench.unseal().opened)
            } else {
                #expect(await expectFailure { try await bench.unseal() } != nil)
            }
            #expect(bench.record.wrongAttempts == 0)
            #expect(bench.watch.wrongCVCs == ([205, 417].contains(code) ? 1 : 0))
            bench.watch.disturbance = nil
            let result = try await bench.unseal()
            #expect(result.opened.slot.index == opened && result.wasOpenedBefore)
            try bench.expectOwn(result.opened)
            #expect(bench.record.wrongAttempts == 0)
        }
    }

    private func places(_ original: FlowBench, using generator: inout SeededGenerator) async throws -> [Place] {
        let bench = try original.copy()
        let liar = Liar()
        bench.watch.disturbance = liar
        _ = try await bench.unseal()
        var places: [Place] = []
        for (number, exchange) in liar.exchanges.enumerated() {
            places += exchange.answer.indices.map {
                Place(exchange: number + 1, offset: $0, mask: 1 << UInt8(generator.next() % 8))
            }
        }
        return places
    }

    private func alter(_ original: FlowBench, _ places: [Place], slot: Int, _ name: String) async throws {
        var counts = Counts()
        let before = try original.slotStates()
        for place in places {
            let bench = try original.copy()
            let cell: Comment = "\(name), exchange \(place.exchange), byte \(place.offset), mask \(place.mask)"
            bench.watch.disturbance = FunctionInterceptor(onAnswer: { answer, exchange in
                guard exchange.number == place.exchange, place.offset < answer.count else { return .pass }
                var bent = answer
                bent[place.offset] ^= place.mask
                return .replace(bent)
            })
            if let result = await resultOrFailure(cell, { try await bench.unseal() }) {
                // A status that lost its address leads to the slot before; that one is open already.
                #expect(result.opened.slot.index == slot || result.wasOpenedBefore, cell)
                if result.opened.network == .test || before.contains(.sealed) {
                    try bench.expectOwn(result.opened, cell)
                } else {
                    // No address binds the network where no slot is sealed; the key is the slot's all the same.
                    let key = result.opened.privateKey.secret.withBytes { Hex.encode(Array($0)) }
                    #expect(try bench.slotKey(result.opened.slot) == key, cell)
                }
                counts.found += 1
            } else {
                counts.refused += 1
            }
            // A nonce that was altered on the way spoils the CVC once.
            #expect(bench.record.wrongAttempts <= 1, cell)
            try expectOnlyOpened(slot, before: before, bench, cell)
            bench.watch.disturbance = nil
            let again = try await bench.unseal()
            #expect(again.opened.slot.index == slot, cell)
            try bench.expectOwn(again.opened, cell)
            try expectOnlyOpened(slot, before: before, bench, cell)
            #expect(bench.record.wrongAttempts == 0, cell)
        }
        #expect(counts.found > 0 && counts.refused > 0)
        print("altered answers, \(name): \(places.count) bytes, \(counts.found) keys, \(counts.refused) refusals")
    }

    private func expectOnlyOpened(
        _ slot: Int, before: [SimulatedCardRecord.Slot.State], _ bench: FlowBench, _ cell: Comment
    ) throws {
        var states = try bench.slotStates()
        states[slot] = before[slot]
        #expect(states == before, cell)
    }

    private func resultOrFailure<Value>(_ cell: Comment, _ body: () async throws -> Value) async -> Value? {
        do { return try await body() } catch is FlowError { return nil } catch is TapError { return nil } catch {
            Issue.record(error, cell)
            return nil
        }
    }
}
