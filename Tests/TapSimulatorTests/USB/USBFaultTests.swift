import TestSupport
import Testing

@testable import TapSimulator

/// What a reader does wrong when it is told to, and what can happen to its plug.
@Suite(.timeLimit(.minutes(20)), .eightAtATime) struct USBFaultTests {
    @Test(arguments: USBReaderFault.Kind.allCases.filter { $0 != .mutePower })
    func aFaultComesOnceAtItsExchange(_ kind: USBReaderFault.Kind) async throws {
        let target = FieldTarget()
        try await ReaderStand.with(.acr1252u, target) { stand in
            let driver = try stand.driver()
            try driver.powerOn()
            #expect(try driver.transmit([1]) == [1, 0x90, 0x00])
            stand.server.misbehave(USBReaderFault(kind, atExchange: 2))
            #expect(try driver.transmit([2]) == [2, 0x90, 0x00])
            let read = driver.host.offer(to: 0x82)
            try driver.begin(0x6F, [3])
            switch kind {
            case .stall:
                #expect(try driver.host.result(read) == (4, []))
                #expect(try driver.read().status == 4)
                #expect(try driver.host.control(0x02, 1, 0, 0x82).status == 0)
            case .short: #expect(try driver.host.result(read).bytes.count == 6)
            case .garbled: #expect(try driver.host.result(read).bytes[0] == ~0x80)
            case .silence:
                while target.apdus.count < 3 { SimulatedCard.pause(.milliseconds(5)) }
                SimulatedCard.pause(.milliseconds(50))
                driver.host.send(RedirectionHost.Kind.cancel, read)
                #expect(try driver.host.result(read) == (1, []))
            case .mute:
                let bytes = try driver.host.result(read).bytes
                #expect(Array(bytes[7...8]) == [0x40, 0xFE])
            case .mutePower: Issue.record("has no exchange")
            case .unplug:
                _ = try driver.host.receive(RedirectionHost.Kind.disconnect)
                driver.host.send(RedirectionHost.Kind.disconnectSeen, 0)
                #expect(!target.isPowered)
                stand.server.plugIn()
                _ = try driver.host.receive(RedirectionHost.Kind.connect)
                try driver.host.configure()
                try driver.powerOn()
                #expect(try driver.transmit([4]) == [4, 0x90, 0x00])
                return
            }
            #expect(target.apdus == [[1], [2], [3]])
            #expect(stand.said.filter { $0 == .misbehaved(kind) }.count == 1)
            #expect(try driver.transmit([4]) == [4, 0x90, 0x00])
        }
    }

    /// A driver tries other voltages, and the next program tries again: all in vain.
    @Test func aCardThatIsMuteWhenItIsPoweredStaysMuteUntilItIsRemoved() async throws {
        let target = FieldTarget()
        try await ReaderStand.with(.acr1252u, target) { stand in
            let driver = try stand.driver()
            try driver.powerOn()
            stand.server.misbehave(USBReaderFault(.mutePower, atExchange: 2))
            try driver.powerOn()
            #expect(try driver.transmit([1]) == [1, 0x90, 0x00])
            for _ in 0..<3 {
                let mute = try driver.send(0x62)
                #expect((mute.kind, mute.card, mute.command, mute.error) == (0x80, 1, 1, 0xFE))
            }
            #expect(try driver.send(0x6F, [2]).error == 0xFE)
            #expect(try driver.send(0x65).card == 1)
            // Also for a host that starts over.
            try driver.host.configure()
            #expect(try driver.send(0x62).error == 0xFE)
            #expect(target.apdus == [[1]] && !target.isPowered)
            stand.server.pull()
            stand.server.insert()
            for _ in 0..<3 { try driver.powerOn() }
            #expect(try driver.transmit([3]) == [3, 0x90, 0x00])
            #expect(stand.said.filter { $0 == .misbehaved(.mutePower) }.count == 1)
        }
    }

    /// A chip does not find a mute card.
    @Test func aMuteCardIsNotActivated() {
        var chip = PN532Chip(isAsleep: false)
        chip.muting = PowerMuting(atPowerUp: 2)
        chip.lay(FieldTarget())
        var attempts: [Bool] = []
        for _ in 0..<3 {
            attempts.append(chip.activate())
            // It has power already.
            attempts.append(chip.activate())
            chip.setField(false)
        }
        #expect(attempts == [true, true, false, false, false, false])
        chip.restart()
        let afterRestart = chip.activate()
        #expect(!afterRestart && chip.muting.isMute)
        chip.lay(FieldTarget())
        let another = chip.activate()
        #expect(another && !chip.muting.isMute)
    }

    /// Unplugged by hand; what the host still sends to the old device is not for the new one.
    @Test func theReaderIsUnpluggedAndPluggedIn() async throws {
        let target = FieldTarget()
        try await ReaderStand.with(.omnikey5022, target) { stand in
            let driver = try stand.driver()
            let host = driver.host
            try driver.powerOn()
            stand.server.unplug()
            _ = try host.receive(RedirectionHost.Kind.disconnect)
            #expect(!target.isPowered)
            stand.server.plugIn()
            _ = try host.receive(RedirectionHost.Kind.connect)
            // Sent before the disconnection was seen.
            host.send(RedirectionHost.Kind.setConfiguration, 1, [1])
            host.send(RedirectionHost.Kind.disconnectSeen, 0)
            try host.configure()
            #expect(try driver.send(0x65).card == 1)
            try driver.powerOn()
            #expect(stand.said.suffix(3) == [.unplugged, .pluggedIn, .activated])
        }
    }

    /// The connection's end is the plug's.
    @Test func aMachineThatEndsUnplugsTheReader() async throws {
        let target = FieldTarget()
        try await ReaderStand.with(.utrust3700f, target) { stand in
            let driver = try stand.driver()
            try driver.powerOn()
            driver.host.hangUp()
            let next = try stand.driver()
            #expect(try next.send(0x65).card == 1)
            #expect(!target.isPowered)
            try next.powerOn()
            #expect(stand.said.contains(.lost))
        }
    }

    @Test func stopUnplugsTheReaderWhereverItIs() async throws {
        let card = try SimulatedCard(SimulatedCardOptions(product: .tapsigner), waitDuration: .zero)
        try await ReaderStand.with(.acr122u, card) { stand in try stand.driver().powerOn() }
        #expect(!card.hasPower)
        // Before anybody came.
        try await ReaderStand.with(.scl3711, card) { _ in }
        try await ReaderStand.with(.acr1252u, card) { stand in
            let host = try stand.host()
            stand.server.stop()
            #expect(host.isHungUpOn())
        }
    }
}
