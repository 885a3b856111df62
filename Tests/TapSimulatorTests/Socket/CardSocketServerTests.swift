import Bitcoin
import ByteCodec
import Foundation
import LocalSockets
import Synchronization
import TestSupport
import Testing

@testable import TapSimulator

@Suite struct CardSocketServerTests {
    private let folder: TemporaryFolder
    private var path: String { folder.path("card.sock") }

    init() throws { folder = try TemporaryFolder() }

    /// Serves a card until `body` is through.
    private func serve(
        _ card: SimulatedCard? = nil, at place: String? = nil,
        _ body: @escaping @Sendable (String, SimulatedCard) throws -> Void
    ) async throws {
        let card = try card ?? SimulatedCard(SimulatedCardOptions(product: .satscard), waitDuration: .zero)
        let path = place ?? path
        let server = try CardSocketServer(card: card, path: path)
        let running = Task { await BlockingThread.run { server.run() } }
        let outcome: Result<Void, any Error>
        do { outcome = .success(try await BlockingThread.run { try body(path, card) }) } catch {
            outcome = .failure(error)
        }
        server.stop()
        await running.value
        #expect(!FileManager.default.fileExists(atPath: path))
        try outcome.get()
    }

    private func code(_ path: String) -> SimulatedCardError.Kind? {
        do throws(SimulatedCardError) {
            let card = try SimulatedCard(SimulatedCardOptions(product: .tapsigner), waitDuration: .zero)
            _ = try CardSocketServer(card: card, path: path)
        } catch { return error.kind }
        return nil
    }

    private static let status: CBORMap = ["cmd": .text("status")]
    private static let statusBytes = CBOREncoder.encode(.map(status))

    // MARK: Talking

    @Test func requestsAndAnswersAreMaps() async throws {
        try await serve { path, card in
            let peer = try SocketPeer(path)
            let status = try peer.ask(Self.status)
            #expect(try status.content("pubkey") == card.record.cardKey.bytes)
            let nonce = CBORValue.bytes([UInt8](0..<16))
            #expect(try peer.ask(["cmd": .text("read"), "nonce": nonce]).content("sig").count == 64)
            // Errors are maps, too.
            #expect(try peer.ask(["cmd": .text("xpub")]).errorCode == 404)
            #expect(try peer.ask(["cmd": .text("read")]).errorCode == 400)
            #expect(try peer.ask([:]).errorCode == 400)
            #expect(try peer.ask(["cmd": .text("unseal"), "slot": .unsigned(0)]).errorCode == 403)
        }
    }

    /// The commands with a CVC, as over any other line.
    @Test func theSameCardAsOverAPDUs() async throws {
        try await serve { path, card in
            let peer = try SocketPeer(path)
            let nonce = try peer.ask(Self.status).content("card_nonce")
            let ephemeral = SessionSide(card: card, cardNonce: nonce)
            let opened = try peer.ask(try ephemeral.request("unseal", ["slot": .unsigned(0)]))
            #expect(opened.errorCode == nil)
            #expect(try card.record.slots?[0].state == .unsealed)
        }
    }

    @Test func splitAndJoinedWrites() async throws {
        try await serve { path, _ in
            let peer = try SocketPeer(path)
            let request = Self.statusBytes
            for count in [1, 2, 5, request.count - 1] {
                peer.send(Array(request.prefix(count)))
                // So that the server reads this part by itself; if it is slow, it gets both at once.
                usleep(20_000)
                peer.send(Array(request.dropFirst(count)))
                #expect(try peer.answer()["ver"] != nil, "\(count)")
            }
            peer.send(request + request)
            var received = peer.receive()
            if case .complete(let end) = CBORExtent(of: received), end == received.count { received += peer.receive() }
            guard case .complete(let end) = CBORExtent(of: received) else { throw CancellationError() }
            #expect(CBORExtent(of: received, from: end) == .complete(end: received.count))
            #expect(try peer.ask(Self.status)["ver"] != nil)
        }
    }

    @Test func rubbishIsAnswered() async throws {
        try await serve { path, _ in
            let peer = try SocketPeer(path)
            for bad in [[0x00], [0xFF, 0xFF], Array("GET / HTTP/1.1".utf8), [UInt8](repeating: 0xA1, count: 60)]
                as [[UInt8]]
            {
                peer.send(bad)
                #expect(try peer.answer().errorCode == 422, "\(bad)")
            }
            // A map that does not end is given up.
            peer.send(Array(Self.statusBytes.dropLast()))
            #expect(try peer.answer().errorCode == 422)
            // Longer than a card reads.
            peer.send(
                CBOREncoder.encode(.map(["cmd": .text("status"), "a": .bytes([UInt8](repeating: 0, count: 250))])))
            #expect(try peer.answer().errorCode == 422)
            #expect(try peer.ask(Self.status)["ver"] != nil)
        }
    }

    @Test func aHalfClosedConnectionIsAnsweredAndEnds() async throws {
        try await serve { path, _ in
            let peer = try SocketPeer(path)
            peer.send(Self.statusBytes)
            peer.endSending()
            #expect(try peer.answer()["ver"] != nil)
            #expect(peer.receive().isEmpty)
        }
    }

    // MARK: Connections

    /// Each is a tap: the nonce is another, the delay is kept.
    @Test func oneConnectionAfterTheOther() async throws {
        try await serve { path, card in
            var nonces: Set<[UInt8]> = []
            for _ in 0..<5 {
                let peer = try SocketPeer(path)
                #expect(nonces.insert(try peer.ask(Self.status).content("card_nonce")).inserted)
            }
            // One that says nothing, and one that goes in the middle of a request.
            do { _ = try SocketPeer(path) }
            do { try SocketPeer(path).send(Array(Self.statusBytes.prefix(4))) }
            // One that goes without taking its answer.
            do { try SocketPeer(path).send(Self.statusBytes) }
            #expect(nonces.insert(try SocketPeer(path).ask(Self.status).content("card_nonce")).inserted)
        }
    }

    @Test func aSecondProgramWaits() async throws {
        try await serve { path, _ in
            var first: SocketPeer? = try SocketPeer(path)
            let second = try SocketPeer(path)
            second.send(Self.statusBytes)
            #expect(try first?.ask(Self.status)["ver"] != nil)
            first = nil
            #expect(try second.answer()["ver"] != nil)
        }
    }

    @Test func theCardHasNoPowerBetween() async throws {
        try await serve { path, card in
            #expect(!card.hasPower)
            do {
                let peer = try SocketPeer(path)
                _ = try peer.ask(Self.status)
                #expect(card.hasPower)
                peer.endSending()
                #expect(peer.receive().isEmpty)
            }
            // The next one is taken up behind the end of the first.
            let peer = try SocketPeer(path)
            _ = try peer.ask(Self.status)
        }
        let card = try SimulatedCard(SimulatedCardOptions(product: .satschip))
        #expect(try decode(card.process(request: Self.statusBytes)).errorCode == 500)
    }

    private func decode(_ bytes: [UInt8]) throws -> CBORMap {
        guard case .map(let map) = try CBORDecoder.decode(bytes) else { return [:] }
        return map
    }

    @Test func stopEndsAConnection() async throws {
        let card = try SimulatedCard(SimulatedCardOptions(product: .satschip), waitDuration: .zero)
        let server = try CardSocketServer(card: card, path: path)
        let running = Task { await BlockingThread.run { server.run() } }
        let path = path
        try await BlockingThread.run {
            let peer = try SocketPeer(path)
            #expect(try peer.ask(Self.status)["satschip"] == .bool(true))
            server.stop()
            #expect(peer.receive().isEmpty)
        }
        await running.value
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func whatCannotBeSavedIsError500() async throws {
        let file = folder.path("card.json")
        _ = try SimulatedCardRecord(creating: SimulatedCardOptions(product: .satscard), at: file)
        let card = try SimulatedCard(path: file)
        // A folder where the draft would be.
        try FileManager.default.createDirectory(atPath: file + ".new", withIntermediateDirectories: false)
        let seen = Mutex<[CardSocketEvent]>([])
        let server = try CardSocketServer(card: card, path: path) { event in seen.withLock { $0.append(event) } }
        let running = Task { await BlockingThread.run { server.run() } }
        let path = path
        try await BlockingThread.run {
            let peer = try SocketPeer(path)
            let side = SessionSide(card: card, cardNonce: try peer.ask(Self.status).content("card_nonce"))
            #expect(try peer.ask(try side.request("unseal", ["slot": .unsigned(0)])).errorCode == 500)
        }
        server.stop()
        await running.value
        #expect(try card.record.slots?[0].state == .sealed)
        #expect(seen.withLock { $0.contains { if case .cardFailed = $0 { true } else { false } } })
    }

    // MARK: Places

    @Test func theSocketIsForItsOwnerOnly() async throws {
        try await serve { path, _ in
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
            #expect(attributes[.type] as? FileAttributeType == .typeSocket)
        }
    }

    @Test func aStaleSocketIsReplaced() async throws {
        try leaveStaleSocket(at: path)
        #expect(throws: SocketFailure(number: ECONNREFUSED)) { try SocketPeer(path) }
        try await serve { path, _ in
            let peer = try SocketPeer(path)
            #expect(try peer.ask(Self.status)["ver"] != nil)
        }
    }

    private func leaveStaleSocket(at path: String) throws { close(try boundSocket(SOCK_STREAM, at: path)) }

    private func boundSocket(_ kind: __socket_type, at path: String) throws -> Int32 {
        let descriptor = socket(AF_UNIX, Int32(kind.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
        let status = withUnsafePointer(to: address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(status == 0)
        return descriptor
    }

    /// It takes no connections, which does not show that nobody uses it.
    @Test func aSocketOfAnotherKindStays() throws {
        let descriptor = try boundSocket(SOCK_DGRAM, at: path)
        defer { close(descriptor) }
        #expect(code(path) == .fileFailed)
        #expect(FileManager.default.fileExists(atPath: path))
    }

    @Test func aLiveSocketIsRefused() async throws {
        try await serve { path, _ in
            #expect(code(path) == .inUse)
            // Also while it serves somebody, and it goes on.
            let peer = try SocketPeer(path)
            #expect(try peer.ask(Self.status)["ver"] != nil)
            #expect(code(path) == .inUse)
            #expect(try peer.ask(Self.status)["ver"] != nil)
        }
    }

    @Test func whatIsNoSocketStays() throws {
        try folder.write("precious", to: "card.sock")
        #expect(code(path) == .exists)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "precious")
        let inside = folder.path("folder")
        try FileManager.default.createDirectory(atPath: inside, withIntermediateDirectories: false)
        #expect(code(inside) == .exists)
        // A link is no socket, whatever it leads to.
        let (link, stale) = (folder.path("link"), folder.path("stale"))
        try leaveStaleSocket(at: stale)
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: stale)
        #expect(code(link) == .exists)
        #expect(FileManager.default.fileExists(atPath: stale))
        try FileManager.default.createSymbolicLink(atPath: folder.path("dangling"), withDestinationPath: "nowhere")
        #expect(code(folder.path("dangling")) == .exists)
    }

    @Test func impossiblePlacesAreSaid() throws {
        #expect(code("") == .badAddress)
        #expect(code("a\u{0}b") == .badAddress)
        #expect(UnixSocket.longestPath == 107)
        let room = 107 - folder.url.path.utf8.count - 1
        try #require(room > 0)
        #expect(code(folder.path(String(repeating: "x", count: room + 1))) == .badAddress)
        #expect(code(folder.path("none/card.sock")) == .fileFailed)
        #expect(code(folder.path(String(repeating: "x", count: room))) == nil)
    }

    @Test func theLongestPathIsServed() async throws {
        let longest = folder.path(String(repeating: "x", count: 107 - folder.url.path.utf8.count - 1))
        #expect(longest.utf8.count == 107)
        try await serve(at: longest) { path, _ in
            let peer = try SocketPeer(path)
            #expect(try peer.ask(Self.status)["ver"] != nil)
        }
    }

    /// A server that ends does not take away what stands in its place by then.
    @Test func onlyTheOwnSocketIsRemoved() async throws {
        let card = try SimulatedCard(SimulatedCardOptions(product: .tapsigner))
        do {
            let server = try CardSocketServer(card: card, path: path)
            try FileManager.default.removeItem(atPath: path)
            try folder.write("precious", to: "card.sock")
            withExtendedLifetime(server) {}
        }
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "precious")
    }

    @Test func aServerThatNeverRanLeavesNothing() throws {
        let card = try SimulatedCard(SimulatedCardOptions(product: .tapsigner))
        do { withExtendedLifetime(try CardSocketServer(card: card, path: path)) {} }
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    /// While another server holds the folder's lock, nothing is created beside it.
    @Test func theFoldersLockIsWaitedFor() async throws {
        let other = open(folder.url.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        try #require(flock(other, LOCK_EX | LOCK_NB) == 0)
        let path = path
        #expect(await BlockingThread.run { code(path) } == .fileFailed)
        #expect(!FileManager.default.fileExists(atPath: path))
        Thread.detachNewThread {
            // So that the lock is taken at first; a server that is slower finds it free.
            Thread.sleep(forTimeInterval: 0.1)
            close(other)
        }
        #expect(await BlockingThread.run { code(path) } == nil)
    }

    /// Of many that find the same stale socket exactly one gets its place.
    @Test func oneOfManyGetsThePlace() async throws {
        try leaveStaleSocket(at: path)
        let path = path
        let servers = await withTaskGroup(of: CardSocketServer?.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    try? await BlockingThread.run {
                        let card = try SimulatedCard(SimulatedCardOptions(product: .tapsigner))
                        return try CardSocketServer(card: card, path: path)
                    }
                }
            }
            return await group.reduce(into: []) { if let server = $1 { $0.append(server) } }
        }
        #expect(servers.count == 1)
        withExtendedLifetime(servers) {}
    }
}

/// The app's side of one command with a CVC.
private struct SessionSide {
    let card: SimulatedCard
    let cardNonce: [UInt8]

    /// A request with CVC fields.
    func request(_ name: String, _ arguments: CBORMap) throws -> CBORMap {
        let ephemeral = try PrivateKey(SecretBytes([UInt8](repeating: 5, count: 32)))
        let session = try SessionKey(cardKey: card.state.cardPrivateKey(), ephemeralKey: ephemeral.publicKey.bytes)
        let cvc = card.state.cvc.bytes.withBytes { Array($0) }
        let hidden = session.revealCVC(cvc, cardNonce: cardNonce, command: name)
        var request = arguments
        request["cmd"] = .text(name)
        request["epubkey"] = .bytes(ephemeral.publicKey.bytes)
        request["xcvc"] = .bytes(hidden.withBytes { Array($0) })
        return request
    }
}
