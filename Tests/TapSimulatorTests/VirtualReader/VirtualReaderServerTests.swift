import Foundation
import Synchronization
import TestSupport
import Testing

@testable import TapSimulator

@Suite(.timeLimit(.minutes(20))) struct VirtualReaderServerTests {
    /// What a server said, in order.
    private final class Diary: Sendable {
        private let entries = Mutex<[VirtualReaderEvent]>([])

        func note(_ event: VirtualReaderEvent) { entries.withLock { $0.append(event) } }

        var events: [VirtualReaderEvent] { entries.withLock { $0 } }

        func waitFor(_ isSeen: (VirtualReaderEvent) -> Bool) async throws {
            while !events.contains(where: isSeen) { try await Task.sleep(for: .milliseconds(5)) }
        }
    }

    /// Runs a server beside the body, and stops it.
    private func serving(
        _ card: SimulatedCard, port: LoopbackPort,
        _ body: @Sendable (VirtualReaderServer, Diary) async throws -> Void
    ) async throws {
        let diary = Diary()
        let address = try VirtualReaderAddress(parsing: "127.0.0.1:\(port.number)")
        let server = try VirtualReaderServer(card: card, address: address) { diary.note($0) }
        let running = BesideThread { server.run() }
        do {
            try await body(server, diary)
        } catch {
            server.stop()
            await running.end()
            throw error
        }
        server.stop()
        await running.end()
    }

    private func card(_ product: SimulatedProduct = .tapsigner) throws -> SimulatedCard {
        try SimulatedCard(SimulatedCardOptions(product: product), waitDuration: .zero)
    }

    private static let status = Array<UInt8>([0x00, 0xCB, 0x00, 0x00, 0x0C]) + StatusHandler.request

    @Test func servesPowerAnswersToResetAndCommands() async throws {
        let port = try LoopbackPort()
        try await serving(try card(), port: port) { _, diary in
            try await BlockingThread.run {
                let peer = try DriverPeer(port: port)
                try peer.accept()
                #expect(try peer.exchange([4]) == SimulatedCard.answerToReset)
                #expect(try peer.exchange(AppSide.select) == [0x6D, 0x00])
                peer.send([1])
                #expect(try peer.exchange([4]) == SimulatedCard.answerToReset)
                #expect(try peer.exchange(AppSide.select).suffix(2) == [0x90, 0x00])
                #expect(try peer.exchange(Self.status).suffix(2) == [0x90, 0x00])
                peer.send([2])
                #expect(try peer.exchange(Self.status) == [0x6D, 0x00])
                #expect(try peer.exchange(AppSide.select).suffix(2) == [0x90, 0x00])
                // Nothing to answer: an empty message, unknown control bytes.
                for nothing in [[], [3], [0xFF]] as [[UInt8]] { peer.send(nothing) }
                #expect(try peer.exchange(Self.status).suffix(2) == [0x90, 0x00])
                // Too short for a command, yet answered, and never with nothing.
                #expect(try peer.exchange([0, 0]) == [0x67, 0x00])
                peer.send([0])
                #expect(try peer.exchange(AppSide.select) == [0x6D, 0x00])
            }
            #expect(diary.events.contains(.connected))
        }
    }

    @Test func theDriverMayComeLateAndComeBack() async throws {
        let port = try LoopbackPort()
        try await serving(try card(), port: port) { _, diary in
            try await diary.waitFor { if case .waiting = $0 { true } else { false } }
            for _ in 0..<2 {
                try await BlockingThread.run {
                    let peer = try DriverPeer(port: port)
                    try peer.accept()
                    peer.send([1])
                    #expect(try peer.exchange(AppSide.select).suffix(2) == [0x90, 0x00])
                }
            }
            try await diary.waitFor { if case .lost = $0 { true } else { false } }
        }
    }

    @Test func thePulledCardStaysAwayUntilItIsLaidBack() async throws {
        let port = try LoopbackPort()
        let card = try card()
        try await serving(card, port: port) { server, diary in
            try await BlockingThread.run {
                let peer = try DriverPeer(port: port)
                #expect(try peer.firstAnswer(to: AppSide.select).suffix(2) == [0x90, 0x00])
                server.pull()
                #expect(try peer.cardHungUp())
                server.insert()
                #expect(try peer.firstAnswer(to: Self.status) == [0x6D, 0x00])
                let other = try SimulatedCard(SimulatedCardOptions(product: .satscard), waitDuration: .zero)
                server.insert(other)
                #expect(try peer.cardHungUp())
                let answer = try peer.firstAnswer(to: AppSide.select)
                #expect(answer.firstRange(of: Array("slots".utf8)) != nil)
            }
            #expect(diary.events.filter { $0 == .pulled }.count == 2)
            #expect(!card.hasPower)
        }
    }

    @Test func stopEndsItWhereverItIs() async throws {
        let port = try LoopbackPort()
        // While it waits for the driver.
        try await serving(try card(), port: port) { _, diary in
            try await diary.waitFor { if case .waiting = $0 { true } else { false } }
        }
        // Before it runs, and while the card is away.
        try await serving(try card(), port: port) { server, _ in server.pull() }
        // While it serves.
        let card = try card()
        try await serving(card, port: port) { _, _ in
            try await BlockingThread.run {
                let peer = try DriverPeer(port: port)
                try peer.accept()
                peer.send([1])
                _ = try peer.exchange([4])
                #expect(card.hasPower)
            }
        }
        #expect(!card.hasPower)
    }

    @Test func aFileThatCannotBeWrittenIsReported() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("card.json")
        var options = SimulatedCardOptions(product: .tapsigner)
        options.seed = [1]
        _ = try SimulatedCardRecord(creating: options, at: path)
        // A folder where the draft would be; with a seed, power is a change.
        try FileManager.default.createDirectory(atPath: path + ".new", withIntermediateDirectories: false)
        let port = try LoopbackPort()
        try await serving(try SimulatedCard(path: path), port: port) { _, diary in
            try await BlockingThread.run {
                let peer = try DriverPeer(port: port)
                try peer.accept()
                peer.send([1])
                #expect(try peer.exchange(AppSide.select) == [0x6D, 0x00])
            }
            try await diary.waitFor { if case .cardFailed(let error) = $0 { error.kind == .fileFailed } else { false } }
        }
    }
}
