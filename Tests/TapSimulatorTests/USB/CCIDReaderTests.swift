import Synchronization
import TestSupport
import Testing

@testable import TapSimulator

/// A card on a reader of the class CCID, as its driver sees it.
@Suite(.timeLimit(.minutes(20)), .eightAtATime) struct CCIDReaderTests {
    private static let models: [USBReaderModel] = [
        .acr1252u, .acr1252single, .acr1251u, .acr1255u, .acr1552u, .acr122u, .omnikey5022, .omnikey5427ck,
        .utrust3700f,
        .utrust3701f,
    ]
    private static let status = Array<UInt8>([0x00, 0xCB, 0x00, 0x00, 0x0C]) + StatusHandler.request

    @Test(arguments: models)
    func aTapCardIsPoweredSelectedAndAnswers(_ model: USBReaderModel) async throws {
        let card = try SimulatedCard(SimulatedCardOptions(product: .tapsigner), waitDuration: .zero)
        try await ReaderStand.with(model, card) { stand in
            let driver = try stand.driver()
            #expect(try driver.send(0x65).card == 1)
            #expect(try driver.powerOn() == SimulatedCard.answerToReset)
            #expect(try driver.transmit(Self.status) == [0x6D, 0x00])
            #expect(try driver.transmit(AppSide.select).suffix(2) == [0x90, 0x00])
            for _ in 0..<100 { #expect(try driver.transmit(Self.status).suffix(2) == [0x90, 0x00]) }
            #expect(card.hasPower)
            let off = try driver.send(0x63)
            #expect(off.kind == 0x81 && off.card == 1 && off.command == 0)
            #expect(!card.hasPower)
            // A command without power.
            let refused = try driver.send(0x6F, Self.status)
            #expect((refused.kind, refused.command, refused.error) == (0x80, 1, 0xFE))
            // Power again forgets what was selected, also without power off before.
            for _ in 0..<2 {
                try driver.powerOn()
                #expect(try driver.transmit(Self.status) == [0x6D, 0x00])
                #expect(try driver.transmit(AppSide.select).suffix(2) == [0x90, 0x00])
            }
        }
        #expect(!card.hasPower)
    }

    @Test(arguments: models)
    func twoHundredAndFiftyFiveBytesUpAndTwoHundredAndFiftySixDown(_ model: USBReaderModel) async throws {
        let long = (0..<256).map { UInt8($0) } + [0x90, 0x00]
        let target = FieldTarget { $0.count == 261 ? long : $0 + [0x90, 0x00] }
        try await ReaderStand.with(model, target) { stand in
            let driver = try stand.driver()
            try driver.powerOn()
            let data = (0..<255).map { UInt8(255 - $0) }
            let command = [0x00, 0xCB, 0x00, 0x00, 0xFF] + data + [0x00]
            #expect(try driver.transmit(command) == long)
            #expect(target.apdus == [command])
            // A message of whole packets, with and without the empty transfer that some drivers send after it.
            for count in [54, 118, 182] {
                let command = [UInt8](repeating: 1, count: count)
                #expect(try driver.transmit(command) == command + [0x90, 0x00])
                try driver.write([])
            }
        }
    }

    @Test func theAnswerToResetIsMadeOfTheHistoricalBytes() {
        #expect(ContactlessAnswers.answerToReset(Array("Coinkite".utf8)) == SimulatedCard.answerToReset)
        #expect(ContactlessAnswers.answerToReset([]) == [0x3B, 0x80, 0x80, 0x01, 0x01])
        #expect(ContactlessAnswers.answerToReset([UInt8](repeating: 1, count: 20)).count == 20)
    }

    @Test func theCardsIdentifierCanBeAskedFor() async throws {
        try await ReaderStand.with(.omnikey5022) { stand in
            let driver = try stand.driver()
            #expect(try driver.send(0x6F, [0xFF, 0xCA, 0, 0, 0]).data == [0x63, 0x00])
            try driver.powerOn()
            #expect(try driver.transmit([0xFF, 0xCA, 0, 0, 0]) == [0x04, 1, 2, 3, 4, 5, 6, 0x90, 0x00])
            #expect(try driver.transmit([0xFF, 0xCA, 1, 0, 0]) == Array("Coinkite".utf8) + [0x90, 0x00])
            #expect(try driver.transmit([0xFF, 0x00, 0x48, 0, 0]) == [0x6A, 0x81])
        }
    }

    @Test func theCardIsPulledAndComesBack() async throws {
        let target = FieldTarget()
        try await ReaderStand.with(.acr1252u, target) { stand in
            let driver = try stand.driver()
            try driver.hearChanges()
            #expect(try driver.changed() == 3)
            try driver.powerOn()
            stand.server.pull()
            #expect(try driver.changed() == 2)
            let gone = try driver.send(0x6F, [1, 2, 3, 4])
            #expect((gone.card, gone.command, gone.error) == (2, 1, 0xFE))
            let unpowered = try driver.send(0x62)
            #expect((unpowered.card, unpowered.command, unpowered.error) == (2, 1, 0xFE))
            #expect(try driver.send(0x6C).command == 1)
            stand.server.insert()
            #expect(try driver.changed() == 3)
            #expect(try driver.send(0x65).card == 1)
            try driver.powerOn()
            #expect(try driver.transmit([7]) == [7, 0x90, 0x00])
            #expect(target.powerCycles == 2)
        }
    }

    @Test func aPullEndsTheExchange() async throws {
        let card = try SimulatedCard(SimulatedCardOptions(product: .satscard), waitDuration: .zero)
        try await ReaderStand.with(.utrust3700f, card) { stand in
            card.plan(PlannedPull(atExchange: 2, .after)) { stand.server.pull() }
            let driver = try stand.driver()
            try driver.powerOn()
            #expect(try driver.transmit(AppSide.select).suffix(2) == [0x90, 0x00])
            let gone = try driver.send(0x6F, Self.status)
            #expect((gone.card, gone.command, gone.error) == (2, 1, 0xFE))
        }
    }

    @Test func aMuteCardIsReported() async throws {
        let target = FieldTarget()
        target.setMute(true)
        try await ReaderStand.with(.acr122u, target) { stand in
            let driver = try stand.driver()
            let mute = try driver.send(0x62)
            #expect((mute.kind, mute.card, mute.command, mute.error) == (0x80, 1, 1, 0xFE))
            target.setMute(false)
            try driver.powerOn()
        }
    }

    @Test func aSlowCardIsGivenTimeAndNothingElseIsDoneMeanwhile() async throws {
        let target = FieldTarget { apdu in
            if apdu == [9] { SimulatedCard.pause(CCIDSlot.patience + .milliseconds(600)) }
            return apdu + [0x90, 0x00]
        }
        try await ReaderStand.with(.omnikey5022, target) { stand in
            let driver = try stand.driver()
            try driver.powerOn()
            #expect(try driver.transmit([9]) == [9, 0x90, 0x00])
            #expect(driver.extensions >= 1)
            try driver.begin(0x6F, [9])
            let first = driver.sequence
            try driver.begin(0x65)
            let busy = try driver.reply()
            #expect((busy.kind, busy.command, busy.error) == (0x81, 1, 0xE0))
            while true {
                let bytes = try driver.read().bytes
                #expect(bytes[6] == first)
                if bytes[7] == 0 { break }
            }
        }
    }

    @Test func aCommandIsAborted() async throws {
        let target = FieldTarget { apdu in
            if apdu == [9] { SimulatedCard.pause(.milliseconds(500)) }
            return apdu + [0x90, 0x00]
        }
        try await ReaderStand.with(.acr1252u, target) { stand in
            let driver = try stand.driver()
            try driver.powerOn()
            try driver.begin(0x6F, [9])
            // Half of an abort: the request. Nothing else is done until the message comes.
            let sequence = driver.sequence &+ 2
            #expect(try driver.host.control(0x21, 1, UInt16(sequence) << 8).status == 0)
            let meanwhile = try driver.send(0x65)
            #expect((meanwhile.command, meanwhile.error) == (1, 0xFF))
            let aborted = try driver.send(0x72)
            #expect((aborted.kind, aborted.command) == (0x81, 0))
            // The late answer of the card is nobody's.
            #expect(try driver.transmit([7]) == [7, 0x90, 0x00])
        }
    }

    @Test func parametersAreKept() async throws {
        try await ReaderStand.with(.utrust3700f) { stand in
            let driver = try stand.driver()
            let initial = try driver.send(0x6C)
            #expect((initial.kind, initial.command, initial.detail, initial.data.count) == (0x82, 0, 1, 7))
            let other: [UInt8] = [0x13, 0x10, 0, 0x4D, 0, 0x20, 0]
            #expect(try driver.send(0x61, other, [1, 0, 0]).data == other)
            #expect(try driver.send(0x6C).data == other)
            // T=0, and half a structure.
            #expect(try driver.send(0x61, [0x11, 0, 0, 0, 0], [0, 0, 0]).error == 7)
            #expect(try driver.send(0x61, [0x11], [1, 0, 0]).error == 1)
            #expect(try driver.send(0x6D).data == initial.data)
            let speed = try driver.send(0x73, [UInt8](repeating: 0, count: 8))
            #expect((speed.kind, speed.command) == (0x84, 0))
            #expect(speed.data == RedirectionHost.little(4_800 as UInt32) + RedirectionHost.little(12_903 as UInt32))
        }
    }

    @Test func whatIsNotSupportedSaysSo() async throws {
        try await ReaderStand.with(.omnikey5022) { stand in
            let driver = try stand.driver()
            for kind in [0x69, 0x6A, 0x6E, 0x71, 0x00] as [UInt8] {
                let reply = try driver.send(kind)
                #expect((reply.kind, reply.command, reply.error) == (0x81, 1, 0))
            }
            let escape = try driver.send(0x6B, [1])
            #expect((escape.kind, escape.command, escape.error) == (0x83, 1, 0))
            // Another slot.
            try driver.begin(0x65, slot: 1)
            let bytes = try driver.read().bytes
            #expect(Array(bytes[5..<9]) == [1, driver.sequence, 0x42, 5])
            // A length that is not true, with the rest of a packet that never comes.
            try driver.write([0x65, 9, 0, 0, 0, 0, 77, 0, 0, 0])
            #expect(Array(try driver.read().bytes[6..<9]) == [77, 0x41, 1])
            // A level of a TPDU.
            #expect(try driver.send(0x6F, [1], [0, 0, 1]).error == 8)
        }
    }

    @Test func longCommandsAndResponsesComeInParts() async throws {
        let target = FieldTarget { $0 + $0 + [0x90, 0x00] }
        try await ReaderStand.with(.acr1252u, target) { stand in
            let driver = try stand.driver()
            try driver.powerOn()
            let command = (0..<1_200).map { UInt8(truncatingIfNeeded: $0) }
            for (part, level) in [(command[0..<512], 1), (command[512..<1_024], 3)] as [(ArraySlice<UInt8>, UInt8)] {
                let reply = try driver.send(0x6F, Array(part), [0, level, 0])
                #expect((reply.command, reply.detail, reply.data) == (0, 0x10, []))
            }
            var reply = try driver.send(0x6F, Array(command[1_024...]), [0, 2, 0])
            var (response, places) = (reply.data, [reply.detail])
            while [1, 3].contains(reply.detail) {
                reply = try driver.send(0x6F, [], [0, 0x10, 0])
                response += reply.data
                places.append(reply.detail)
            }
            #expect(response == command + command + [0x90, 0x00])
            #expect(places == [1, 3, 3, 3, 2])
            // Nothing more; and a last part without a first.
            #expect(try driver.send(0x6F, [], [0, 0x10, 0]).error == 8)
            #expect(try driver.send(0x6F, [1], [0, 2, 0]).error == 8)
        }
        // A reader without extended APDUs takes no parts, and no response that is too long.
        try await ReaderStand.with(.acr122u, FieldTarget { _ in [UInt8](repeating: 1, count: 262) }) { stand in
            let driver = try stand.driver()
            try driver.powerOn()
            #expect(try driver.send(0x6F, [1], [0, 1, 0]).error == 8)
            #expect(try driver.send(0x6F, [1]).error == 0xFC)
        }
    }

    @Test func theModulesSlotStaysEmpty() async throws {
        try await ReaderStand.with(.acr1252u) { stand in
            let module = CCIDHost(try stand.host(), command: 0x04, response: 0x84, change: 0x83)
            #expect(try module.send(0x65).card == 2)
            #expect(try module.send(0x62).error == 0xFE)
            try module.hearChanges()
            #expect(try module.changed() == 2)
        }
    }

    @Test func clocksAndRatesAreListed() async throws {
        func list(_ model: USBReaderModel, _ code: UInt8) async throws -> (status: UInt8, data: [UInt8]) {
            let listed = Mutex((status: UInt8(0), data: [UInt8]()))
            try await ReaderStand.with(model) { stand in
                let answer = try stand.host().control(0xA1, code, 0)
                listed.withLock { $0 = answer }
            }
            return listed.withLock { $0 }
        }
        let clocks = try await list(.omnikey5022, 2)
        #expect(clocks.status == 0 && clocks.data.count == 16)
        #expect(try await list(.acr1252u, 3) == (0, []))
        #expect(try await list(.utrust3700f, 2) == (4, []))
    }
}
