import CPCSC
import Foundation
import SmartCard
import TestSupport
import Testing

@testable import CardReaders

@Suite struct PCSCReaderTests {
    @Test func theServiceListsItsReaders() async throws {
        let names = try await PCSCDaemon.virtualReaders()
        let readers = try await BlockingThread.run { try PCSCBackend().readers() }
        #expect(Set(readers.map(\.name)).isSuperset(of: names))
        #expect(readers.allSatisfy { $0.spec == "pcsc:\($0.name)" && $0.kind == .pcsc })
    }

    /// By a part of its name, in whichever case; where none has it, that is said.
    @Test func oneReaderIsMeantByItsName() async throws {
        let names = try await PCSCDaemon.virtualReaders()
        try await BlockingThread.run {
            for name in names {
                let meant = try PCSCBackend(nameContains: String(name.uppercased().suffix(9))).readers()
                #expect(meant.map(\.name).contains(name))
            }
            let none = PCSCBackend(nameContains: "No such reader")
            #expect(try none.readers().isEmpty)
            #expect(none.noReader.code == .noReader && none.noReader.message.contains("No such reader"))
        }
    }

    @Test func theStateTellsOfTheCardWithoutAConnection() async throws {
        try await VirtualReaderSlot.withLease { slot in
            try await BlockingThread.run {
                let bench = PCSCBench(slot)
                let reader = PCSCReader(name: slot.readerName)
                let empty = try reader.state()
                #expect(!empty.isCardPresent)
                #expect(empty.answerToReset == [])
                try bench.insertCard(ScriptedCard.agree)
                let state = try reader.state()
                #expect(state.isCardPresent)
                #expect(!state.isCardMute)
                #expect(!state.isHeldExclusively)
                #expect(state.answerToReset == VirtualCard.answerToReset)
            }
        }
    }

    @Test func anUnknownReaderIsGone() async throws {
        try await PCSCDaemon.ensureRunning()
        await BlockingThread.run {
            let reader = PCSCReader(name: "No such reader 00 00")
            for error in [
                #expect(throws: ReaderError.self) { try reader.connect() },
                #expect(throws: ReaderError.self) { try reader.state() },
                #expect(throws: ReaderError.self) { try reader.waitForCard(isPresent: true, timeout: .seconds(5)) },
            ] {
                #expect(error?.code == .readerGone)
                #expect(error?.message.contains("No such reader 00 00") == true)
            }
        }
    }

    @Test func aCardThatAnotherProgramHoldsIsBusy() async throws {
        try await VirtualReaderSlot.withLease { slot in
            try await BlockingThread.run {
                let bench = PCSCBench(slot)
                try bench.insertCard(ScriptedCard.agree)
                let reader = PCSCReader(name: slot.readerName)
                var context = SCARDCONTEXT()
                var handle = SCARDHANDLE()
                var active = DWORD()
                SCardEstablishContext(DWORD(SCARD_SCOPE_SYSTEM), nil, nil, &context)
                defer { SCardReleaseContext(context) }
                let status = SCardConnect(
                    context, slot.readerName, DWORD(SCARD_SHARE_EXCLUSIVE), DWORD(SCARD_PROTOCOL_T1), &handle, &active)
                #expect(status == SCARD_S_SUCCESS)
                let error = #expect(throws: ReaderError.self) { try reader.connect() }
                #expect(error?.code == .readerBusy)
                #expect(try reader.state().isHeldExclusively)
                SCardDisconnect(handle, DWORD(SCARD_LEAVE_CARD))
                #expect(try reader.connect().transmit([0, 1, 2, 3]) == [0x90, 0x00])
            }
        }
    }

    /// A driver waits for minutes for a reader that is silent, and the service with it: nobody else does.
    @Test func aSilentReaderIsGivenUp() async throws {
        try await VirtualReaderSlot.withLease { slot in
            try await BlockingThread.run {
                let bench = PCSCBench(slot)
                let end = DispatchSemaphore(value: 0)
                try bench.insertCard { command in
                    if command == [0, 1, 2, 3] { end.wait() }
                    return .answer([0x90, 0x00])
                }
                let channel = try #require(bench.reader.connect() as? PCSCChannel)
                try channel.beginTransaction()
                channel.patience = .seconds(1)
                let silence = #expect(throws: ReaderError.self) { try channel.transmit([0, 1, 2, 3]) }
                #expect(silence?.kind == .timedOut && silence?.code == .transportFailed)
                #expect(silence?.message == "The reader \"\(slot.readerName)\" has not answered for 1 s.")
                #expect(silence?.remedy == "Unplug the reader and plug it back in.")
                // What is left of the call has the connection: neither of these waits for it.
                channel.endTransaction()
                let after = #expect(throws: ReaderError.self) { try channel.transmit([0, 1, 2, 4]) }
                #expect(after?.code == .transportFailed)
                channel.disconnect()
                // Nor is anything asked that would wait behind it.
                let busy = #expect(throws: ReaderError.self) {
                    try PCSCChannel(at: PCSCReaderPlace(slot.readerName), patience: .seconds(1))
                }
                #expect(busy?.code == .readerBusy)

                end.signal()
                let again = try bench.reader.connect()
                try again.beginTransaction()
                #expect(try again.transmit([0, 1, 2, 4]) == [0x90, 0x00])
            }
        }
    }

    @Test func aCardThatAnotherProgramKeepsIsNotWaitedForForEver() async throws {
        try await VirtualReaderSlot.withLease { slot in
            try await BlockingThread.run {
                let bench = PCSCBench(slot)
                try bench.insertCard(ScriptedCard.agree)
                let channel = try #require(bench.reader.connect() as? PCSCChannel)
                channel.patience = .seconds(1)
                let keeper = try bench.reader.connect()
                try keeper.beginTransaction()
                for error in [
                    #expect(throws: ReaderError.self) { try channel.beginTransaction() },
                    #expect(throws: ReaderError.self) {
                        try PCSCChannel(at: PCSCReaderPlace(slot.readerName), patience: .seconds(1))
                    },
                ] {
                    #expect(error?.code == .readerBusy)
                    #expect(error?.message.contains("another program") == true)
                    #expect(error?.remedy.contains("Close other programs") == true)
                }

                keeper.endTransaction()
                let again = try bench.reader.connect()
                try again.beginTransaction()
                #expect(try again.transmit([0, 1, 2, 3]) == [0x90, 0x00])
            }
        }
    }

    /// Extended APDUs are not sent by tap cards' commands, but the channel carries what the service does.
    @Test func longCommandsAndAnswersPass() async throws {
        try await VirtualReaderSlot.withLease { slot in
            try await BlockingThread.run {
                let bench = PCSCBench(slot)
                try bench.insertCard {
                    .answer([UInt8](repeating: $0.last ?? 0, count: min($0.count, 65_533)) + [0x90, 0])
                }
                let channel = try bench.reader.connect()
                for count in [300, 4096, 65_535] {
                    let command: [UInt8] = [0, 1, 2, 3] + [UInt8](repeating: 9, count: count - 4)
                    let answer = try channel.transmit(command)
                    #expect(answer == [UInt8](repeating: 9, count: min(count, 65_533)) + [0x90, 0])
                }
                let error = #expect(throws: ReaderError.self) {
                    try channel.transmit([UInt8](repeating: 0, count: 65_536))
                }
                #expect(error?.code == .transportFailed)
            }
        }
    }
}
