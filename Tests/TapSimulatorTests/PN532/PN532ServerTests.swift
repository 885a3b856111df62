import Foundation
import Synchronization
import TestSupport
import Testing
import Threads

@testable import TapSimulator

@Suite(.timeLimit(.minutes(20)), .eightAtATime) struct PN532ServerTests {
    /// What a server said, in order.
    private final class Diary: Sendable {
        private let entries = Mutex<[PN532Event]>([])

        func note(_ event: PN532Event) { entries.withLock { $0.append(event) } }

        var events: [PN532Event] { entries.withLock { $0 } }
    }

    /// Holds up a card's answer until it is opened.
    private final class AnswerLatch: Sendable {
        private let state = Monitor((isOpen: false, waiting: 0))

        func wait() {
            state.withLock { $0.waiting += 1 }
            _ = state.wait(timeout: .seconds(60)) { $0.isOpen ? true : nil }
        }

        func waitUntilReached() { _ = state.wait(timeout: .seconds(60)) { $0.waiting > 0 ? true : nil } }

        func open() { state.withLock { $0.isOpen = true } }
    }

    /// Runs a server beside the body, and stops it.
    private func serving(
        _ target: any PN532Target, link: String? = nil, _ diary: Diary = Diary(),
        _ body: @escaping @Sendable (PN532Server) throws -> Void
    ) async throws {
        let server = try PN532Server(target: target, link: link) { diary.note($0) }
        let running = BesideThread { server.run() }
        let outcome: Result<Void, any Error>
        do { outcome = .success(try await BlockingThread.run { try body(server) }) } catch { outcome = .failure(error) }
        server.stop()
        await running.end()
        try outcome.get()
    }

    private func card(_ product: SimulatedProduct = .tapsigner) throws -> SimulatedCard {
        try SimulatedCard(SimulatedCardOptions(product: product), waitDuration: .zero)
    }

    private static let status = Array<UInt8>([0x00, 0xCB, 0x00, 0x00, 0x0C]) + StatusHandler.request

    @Test func aTapCardIsSelectedAndAnswers() async throws {
        let (card, diary) = (try card(), Diary())
        try await serving(card, diary) { server in
            let peer = try PortPeer(server.path)
            try peer.activate()
            #expect(try peer.transmit(Self.status) == [0x6D, 0x00])
            #expect(try peer.transmit(AppSide.select).suffix(2) == [0x90, 0x00])
            for _ in 0..<300 { #expect(try peer.transmit(Self.status).suffix(2) == [0x90, 0x00]) }
            // The longest that libnfc sends.
            #expect(try peer.transmit([UInt8](repeating: 0, count: 262)) == [0x6D, 0x00])
            #expect(card.hasPower)
        }
        #expect(!card.hasPower)
        #expect(diary.events == [.laidDown, .awake, .activated])
    }

    @Test func theTapCardsIdentifierIsItsOwn() throws {
        var options = SimulatedCardOptions(product: .tapsigner)
        options.seed = [1]
        let one = try SimulatedCard(options)
        #expect(one.identifier.count == 7 && one.identifier[0] == 0x04)
        #expect(try SimulatedCard(options).identifier == one.identifier)
        options.seed = [2]
        #expect(try SimulatedCard(options).identifier != one.identifier)
    }

    @Test func everyByteGoesThroughThePortUnchangedAndForItsOwnerOnly() async throws {
        try await serving(FieldTarget()) { server in
            var status = stat()
            #expect(stat(server.path, &status) == 0)
            #expect(status.st_mode & 0o777 == 0o600)
            #expect(status.st_uid == geteuid())
            let peer = try PortPeer(server.path)
            try peer.activate()
            let all = (0...255).map { UInt8($0) }
            #expect(try peer.transmit(all) == all + [0x90, 0x00])
        }
    }

    @Test func programsComeAndGo() async throws {
        let latch = AnswerLatch()
        let target = FieldTarget { apdu in
            if apdu == [99] { latch.wait() }
            return apdu + [0x90, 0x00]
        }
        try await serving(target) { server in
            let path = server.path
            for number in 0..<20 as Range<UInt8> {
                let peer = try PortPeer(server.path)
                try peer.activate()
                #expect(try peer.transmit([number]) == [number, 0x90, 0x00])
                // One in three leaves in the middle of a frame, one in the middle of an exchange.
                if number % 3 == 1 { peer.write(Array(ChipReply.frame([0x40, 0x01, 1, 2, 3]).prefix(9))) }
                if number % 3 == 2 { peer.write(ChipReply.frame([0x40, 0x01, 4])) }
                peer.close()
            }
            // And one while the card works.
            let peer = try PortPeer(path)
            try peer.activate()
            peer.write(ChipReply.frame([0x40, 0x01, 99]))
            latch.waitUntilReached()
            peer.close()
            latch.open()
            let next = try PortPeer(path)
            try next.activate()
            #expect(try next.transmit([7]) == [7, 0x90, 0x00])
        }
    }

    @Test func whatNobodyReadsIsLost() async throws {
        try await serving(FieldTarget()) { server in
            let peer = try PortPeer(server.path)
            for _ in 0..<2_000 { peer.write(ChipReply.frame([0x02])) }
            peer.close()
            try PortPeer(server.path).activate()
        }
    }

    @Test func aSearchIsAnsweredWhenTheCardComes() async throws {
        let target = FieldTarget()
        try await serving(target) { server in
            server.pull()
            let peer = try PortPeer(server.path)
            peer.write(ChipReply.frame([0x4A, 0x01, 0x00]))
            #expect(try peer.replies(1) == [.acknowledge])
            let other = FieldTarget(identifier: [0x08, 1, 2, 3])
            server.insert(other)
            guard case .response(let bytes) = try peer.replies(1)[0] else {
                throw PortPeer.Failure(description: "error")
            }
            #expect(bytes.dropFirst(7).prefix(4) == [0x08, 1, 2, 3])
            #expect(other.isPowered && !target.isPowered)
            // A card that lies there already is not laid down again.
            server.insert()
            #expect(try peer.transmit([1]) == [1, 0x90, 0x00])
        }
    }

    @Test func aPullEndsTheExchangeAtOnceAndTheCardComesBack() async throws {
        let (latch, diary) = (AnswerLatch(), Diary())
        let target = FieldTarget { apdu in
            if apdu == [9] { latch.wait() }
            return apdu + [0x90, 0x00]
        }
        try await serving(target, diary) { server in
            let peer = try PortPeer(server.path)
            try peer.activate()
            peer.write(ChipReply.frame([0x40, 0x01, 9]))
            #expect(try peer.replies(1) == [.acknowledge])
            latch.waitUntilReached()
            // The card still works; the latch opens at the end only.
            server.pull()
            #expect(try peer.replies(1) == [.response([0x41, 0x01])])
            server.insert()
            try peer.activate()
            #expect(try peer.transmit([7]) == [7, 0x90, 0x00])
            #expect(target.powerCycles == 2)
            latch.open()
            #expect(try peer.transmit([8]) == [8, 0x90, 0x00])
        }
        #expect(diary.events == [.laidDown, .awake, .activated, .pulled, .laidDown, .activated])
    }

    @Test func whatWasAskedBeforeThePowerFellIsForgotten() async throws {
        let latch = AnswerLatch()
        let target = FieldTarget { apdu in
            if apdu == [9] { latch.wait() }
            return apdu + [0x90, 0x00]
        }
        try await serving(target) { server in
            let peer = try PortPeer(server.path)
            try peer.activate()
            peer.write(ChipReply.frame([0x40, 0x01, 9]))
            #expect(try peer.replies(1) == [.acknowledge])
            latch.waitUntilReached()
            // Ended by the host, and another one behind it, which the card has no power for any more.
            peer.write(ChipReply.frame([0x40, 0x01, 6]))
            #expect(try peer.replies(1) == [.acknowledge])
            #expect(try peer.send([0x32, 0x01, 0x00]) == .response([0x33]))
            try peer.activate()
            #expect(try peer.transmit([7]) == [7, 0x90, 0x00])
            latch.open()
            #expect(target.apdus == [[9], [7]])
        }
    }

    @Test func theChipMisbehavesWhenToldTo() async throws {
        try await serving(FieldTarget()) { server in
            let peer = try PortPeer(server.path)
            try peer.activate()
            server.misbehave(.wrongChecksum.at(exchange: 2))
            _ = try peer.send([0x02])
            #expect(try peer.transmit([1]) == [1, 0x90, 0x00])
            #expect(throws: ChipReply.Malformed.self) { try peer.transmit([2]) }
        }
    }

    @Test func theLinkNamesThePortAsLongAsItServes() async throws {
        let folder = try TemporaryFolder()
        let link = folder.path("port")
        // A link that a killed server left behind.
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "/dev/pts/999999")
        try await serving(FieldTarget(), link: link) { server in
            #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == server.path)
            let peer = try PortPeer(link)
            try peer.activate()
            #expect { try PN532Server(target: FieldTarget(), link: link) } throws: {
                ($0 as? SimulatedCardError)?.kind == .inUse
            }
            #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == server.path)
        }
        #expect(throws: (any Error).self) { try FileManager.default.destinationOfSymbolicLink(atPath: link) }
        // A server that never ran.
        _ = try PN532Server(target: FieldTarget(), link: link)
        #expect(throws: (any Error).self) { try FileManager.default.destinationOfSymbolicLink(atPath: link) }
    }

    @Test func nothingElseMakesRoomForALink() throws {
        let folder = try TemporaryFolder()
        try folder.write("mine", to: "file")
        #expect { try PN532Server(target: FieldTarget(), link: folder.path("file")) } throws: {
            ($0 as? SimulatedCardError)?.kind == .exists
        }
        #expect(try String(contentsOfFile: folder.path("file"), encoding: .utf8) == "mine")
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("other"), withDestinationPath: folder.path("file"))
        #expect { try PN532Server(target: FieldTarget(), link: folder.path("other")) } throws: {
            ($0 as? SimulatedCardError)?.kind == .exists
        }
        #expect { try PN532Server(target: FieldTarget(), link: folder.path("none/port")) } throws: {
            ($0 as? SimulatedCardError)?.kind == .fileFailed
        }
        for bad in ["", folder.path("a:b"), folder.path(String(repeating: "x", count: 128))] {
            #expect { try PN532Server(target: FieldTarget(), link: bad) } throws: {
                ($0 as? SimulatedCardError)?.kind == .badAddress
            }
        }
    }

    @Test func stopEndsItWhereverItIs() async throws {
        // Before it runs; then in a search.
        let server = try PN532Server(target: FieldTarget())
        server.stop()
        await BlockingThread.run { server.run() }
        try await serving(FieldTarget()) { server in
            server.pull()
            let peer = try PortPeer(server.path)
            peer.write(ChipReply.frame([0x4A, 0x01, 0x00]))
            #expect(try peer.replies(1) == [.acknowledge])
        }
        // While the card works: the server does not wait for it.
        let latch = AnswerLatch()
        let target = FieldTarget { _ in
            latch.wait()
            return [0x90, 0x00]
        }
        try await serving(target) { server in
            let peer = try PortPeer(server.path)
            try peer.activate()
            peer.write(ChipReply.frame([0x40, 0x01, 9]))
            latch.waitUntilReached()
        }
        #expect(!target.isPowered)
        latch.open()
    }

    @Test func aFileThatCannotBeWrittenIsReported() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("card.json")
        var options = SimulatedCardOptions(product: .tapsigner)
        options.seed = [1]
        _ = try SimulatedCardRecord(creating: options, at: path)
        // A folder where the draft would be; with a seed, power is a change.
        try FileManager.default.createDirectory(atPath: path + ".new", withIntermediateDirectories: false)
        let diary = Diary()
        try await serving(try SimulatedCard(path: path), diary) { server in
            let peer = try PortPeer(server.path)
            #expect(try peer.send([0x32, 0x05, 0x00, 0x01, 0x02]) == .response([0x33]))
            #expect(try peer.send([0x4A, 0x01, 0x00]) == .response([0x4B, 0]))
        }
        #expect(
            diary.events.contains { if case .cardFailed(let error) = $0 { error.kind == .fileFailed } else { false } })
    }
}
