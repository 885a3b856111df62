import SmartCard
import TapSimulator
import TestSupport
import Testing

/// The tutorial "Write your own reader backend", at work.
@Suite struct WritingAReaderBackendTests {
    private func program() throws -> BridgeProgram {
        var options = SimulatedCardOptions(product: .satscard)
        options.unluckyPercent = 0
        return try BridgeProgram(SimulatedCard(options))
    }

    @Test func aCardBehindTheBridgeIsACardLikeAnyOther() async throws {
        let program = try program()
        try program.insert()
        let reader = BridgeReader(descriptor: program.descriptor)
        let address = try await provenAddress(on: reader, acceptedRoots: [try SimulatedFactory.standard.rootKey])
        #expect(address.network == .main)
    }

    @Test func whatIsNotThereIsSaid() async throws {
        let program = try program()
        let reader = BridgeReader(descriptor: program.descriptor)
        try await BlockingThread.run {
            #expect(#expect(throws: ReaderError.self) { try reader.connect() }?.code == .noCard)
            let late = #expect(throws: ReaderError.self) {
                try reader.waitForCard(isPresent: true, timeout: .milliseconds(30))
            }
            #expect(late?.code == .timedOut)
            try program.insert()
            try reader.waitForCard(isPresent: true, timeout: nil)
            let channel = try reader.connect()
            #expect(try channel.transmit([0x00, 0xA4, 0x04, 0x00]).count >= 2)
            #expect(#expect(throws: ReaderError.self) { try channel.transmit([0x00]) }?.code == .transportFailed)
            program.pull()
            try reader.waitForCard(isPresent: false, timeout: nil)
            let lost = #expect(throws: ReaderError.self) { try channel.transmit([0x00, 0xA4, 0x04, 0x00]) }
            #expect(lost?.code == .cardRemoved)
            #expect(#expect(throws: ReaderError.self) { try channel.reconnect() }?.code == .noCard)
            try program.insert()
            try channel.reconnect()
            channel.disconnect()
            #expect(#expect(throws: ReaderError.self) { try channel.beginTransaction() }?.code == .transportFailed)
            program.end()
            #expect(#expect(throws: ReaderError.self) { try reader.connect() }?.code == .readerGone)
        }
    }

    @Test func aWaitCanBeEnded() async throws {
        let program = try program()
        let reader = BridgeReader(descriptor: program.descriptor)
        async let kind = BlockingThread.run {
            #expect(throws: ReaderError.self) { try reader.waitForCard(isPresent: true, timeout: nil) }?.kind
        }
        // Ending a wait that has not begun does nothing, so it is ended until it has.
        let ender = Task {
            while !Task.isCancelled {
                reader.cancelWaiting()
                try? await Task.sleep(for: .milliseconds(5))
            }
        }
        #expect(await kind == .cancelled)
        ender.cancel()
    }
}
