import Foundation
import SmartCard
import Synchronization
import TestSupport
import Testing

@testable import TapSimulator

@Suite struct SimulatedReaderTests {
    private static let status = [0x00, 0xCB, 0x00, 0x00, 0x0C] + Array([0xA1, 0x63] + "cmdfstatus".utf8)

    private func reader(_ interceptor: (any CardInterceptor)? = nil) throws -> SimulatedReader {
        SimulatedReader(
            card: try SimulatedCard(SimulatedCardOptions(product: .tapsigner), waitDuration: .zero),
            interceptor: interceptor)
    }

    private func isAnswer(_ bytes: [UInt8]) -> Bool { bytes.count > 2 && bytes.suffix(2) == [0x90, 0x00] }

    @Test func saysThatItIsSimulated() throws {
        let reader = SimulatedReader(path: "/tmp/none.json")
        #expect(reader.name.contains("SIMULATED"))
        #expect(reader.spec == "sim:/tmp/none.json")
        #expect(reader.kind == .sim)
    }

    @Test func namesAMissingFile() throws {
        #expect { try SimulatedReader(path: "/tmp/tapkit/none.json").connect() } throws: {
            ($0 as? ReaderError)?.code == .noReader
        }
    }

    @Test func countsExchangesByCommand() throws {
        let reader = try reader()
        let channel = try reader.connect()
        #expect(isAnswer(try channel.transmit(AppSide.select)))
        #expect(isAnswer(try channel.transmit(Self.status)))
        #expect(isAnswer(try channel.transmit(Self.status)))
        #expect(try channel.transmit([0xFF, 0x00]) == [0x67, 0x00])
        #expect(reader.exchangeCounts == ["select": 1, "status": 2, "": 1])
        reader.resetCounts()
        #expect(reader.exchangeCounts.isEmpty)
    }

    @Test func hasOneChannelAtATime() throws {
        let reader = try reader()
        let first = try reader.connect()
        #expect { try reader.connect() } throws: { ($0 as? ReaderError)?.code == .readerBusy }
        first.disconnect()
        let second = try reader.connect()
        #expect { try first.transmit(AppSide.select) } throws: { ($0 as? ReaderError)?.code == .transportFailed }
        #expect(isAnswer(try second.transmit(AppSide.select)))
    }

    @Test func aForgottenChannelGivesTheCardBack() throws {
        let reader = try reader()
        _ = try reader.connect()
        #expect(isAnswer(try reader.connect().transmit(AppSide.select)))
    }

    @Test(arguments: SinglePull.Moment.allCases) func aPulledCardComesBack(moment: SinglePull.Moment) throws {
        let reader = try reader(SinglePull(atExchange: 2, moment))
        let channel = try reader.connect()
        let selected = try channel.transmit(AppSide.select)
        if moment == .inAnswer {
            #expect(try channel.transmit(Self.status).count == selected.count / 2)
        } else {
            #expect { try channel.transmit(Self.status) } throws: { ($0 as? ReaderError)?.code == .cardRemoved }
        }
        #expect { try channel.reconnect() } throws: { ($0 as? ReaderError)?.code == .noCard }
        try reader.waitForCard(isPresent: true, timeout: .seconds(5))
        #expect { try channel.transmit(Self.status) } throws: { ($0 as? ReaderError)?.code == .cardRemoved }
        #expect { try channel.beginTransaction() } throws: { ($0 as? ReaderError)?.code == .cardRemoved }
        try channel.reconnect()
        #expect(try channel.transmit(Self.status) == [0x6D, 0x00])
        #expect(isAnswer(try channel.transmit(AppSide.select)))
    }

    @Test func aShortLossOfPowerGoesUnseen() throws {
        let reader = try reader(FunctionInterceptor(onCommand: { $0.number == 2 ? .cutPower : .pass }))
        let channel = try reader.connect()
        _ = try channel.transmit(AppSide.select)
        #expect(try channel.transmit(Self.status) == [0x6D, 0x00])
        #expect(isAnswer(try channel.transmit(AppSide.select)))
    }

    @Test(arguments: [true, false]) func anotherCardLiesThere(isNoticed: Bool) throws {
        let other = try SimulatedCard(SimulatedCardOptions(product: .satschip), waitDuration: .zero)
        let reader = try reader(
            FunctionInterceptor(onCommand: {
                guard $0.number == 2 else { return .pass }
                return isNoticed ? .swap(other) : .swapUnnoticed(other)
            }))
        let channel = try reader.connect()
        let first = try channel.transmit(AppSide.select)
        if isNoticed {
            #expect { try channel.transmit(Self.status) } throws: { ($0 as? ReaderError)?.code == .cardRemoved }
            try channel.reconnect()
        } else {
            #expect(try channel.transmit(Self.status) == [0x6D, 0x00])
        }
        let second = try channel.transmit(AppSide.select)
        #expect(isAnswer(second))
        #expect(second.firstRange(of: Array("satschip".utf8)) != nil)
        #expect(first.firstRange(of: Array("satschip".utf8)) == nil)
    }

    @Test func bytesAreAlteredBothWays() throws {
        let reader = try reader(
            FunctionInterceptor(
                onCommand: {
                    switch $0.number {
                    case 2: .replace([0xFF])
                    case 3: .answer([0x12, 0x34])
                    case 4: .fail(ReaderError(.readerGone, "unplugged"))
                    default: .pass
                    }
                }, onAnswer: { $1.number == 5 ? .replace([0x90, 0x00]) : .pass }))
        let channel = try reader.connect()
        _ = try channel.transmit(AppSide.select)
        #expect(try channel.transmit(Self.status) == [0x67, 0x00])
        #expect(try channel.transmit(Self.status) == [0x12, 0x34])
        #expect { try channel.transmit(Self.status) } throws: { ($0 as? ReaderError)?.code == .readerGone }
        #expect(try channel.transmit(Self.status) == [0x90, 0x00])
        #expect(isAnswer(try channel.transmit(Self.status)))
    }

    @Test func waitsForACardAndItsRemoval() async throws {
        let reader = try reader()
        try reader.waitForCard(isPresent: true, timeout: .zero)
        #expect { try reader.waitForCard(isPresent: false, timeout: .milliseconds(20)) } throws: {
            ($0 as? ReaderError)?.code == .timedOut
        }
        reader.pull()
        try reader.waitForCard(isPresent: false, timeout: nil)
        let thread = Thread {
            // So that it is waited for; a thread that is quicker lays it down before.
            Thread.sleep(forTimeInterval: 0.05)
            reader.insert()
        }
        thread.start()
        try reader.waitForCard(isPresent: true, timeout: .seconds(30))
        #expect(try reader.connect().transmit(AppSide.select).count > 2)
    }

    @Test func aWaitCanBeCancelled() throws {
        let reader = try reader()
        reader.cancelWaiting()  // without a wait: no effect on the next
        let isOver = Atomic(false)
        let thread = Thread {
            // Nothing tells that the wait has begun.
            while !isOver.load(ordering: .relaxed) {
                reader.cancelWaiting()
                Thread.sleep(forTimeInterval: 0.005)
            }
        }
        thread.start()
        defer { isOver.store(true, ordering: .relaxed) }
        #expect { try reader.waitForCard(isPresent: false, timeout: .seconds(30)) } throws: {
            ($0 as? ReaderError)?.kind == .cancelled
        }
    }

    @Test func transactionsAreNotNested() throws {
        let channel = try reader().connect()
        try channel.beginTransaction()
        #expect { try channel.beginTransaction() } throws: { ($0 as? ReaderError)?.code == .transportFailed }
        channel.endTransaction()
        try channel.beginTransaction()
    }

    @Test func processesTakeTurnsWithAFile() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("card.json")
        _ = try SimulatedCardRecord(creating: SimulatedCardOptions(product: .tapsigner), at: path)
        let first = SimulatedReader(path: path)
        let second = SimulatedReader(path: path)
        let channel = try first.connect()
        #expect { try second.connect() } throws: { ($0 as? ReaderError)?.code == .readerBusy }
        channel.disconnect()
        #expect(isAnswer(try second.connect().transmit(AppSide.select)))
    }
}
