import Bitcoin
import ByteCodec
import TestSupport
import Testing

@testable import TapProtocol

/// What a card answers is read, or refused, in time that grows as it does, up to the 64 KB that come in 256 parts.
@Suite struct CardAnswerScalingTests {
    private static let longest = 65_536

    private let status: CBORMap

    init() throws { status = try TestCard().status() }

    /// A status with one field more, or another one.
    private func expectLinear(
        _ what: String, _ key: String, from start: Int = 64, bytes: Int, isRefused: Bool = true,
        sourceLocation: SourceLocation = #_sourceLocation, _ value: (Int) -> CBORValue
    ) throws {
        try Scaling.expectLinear(
            what, from: start, upTo: Self.longest / bytes, sourceLocation: sourceLocation
        ) { size in
            var map = status
            map[key] = value(size)
            return CBOREncoder.encode(.map(map))
        } work: { answer in
            #expect(read(answer) == !isRefused, sourceLocation: sourceLocation)
        }
    }

    /// Whether an answer is a status, or a refusal, that is taken.
    private func read(_ answer: [UInt8]) -> Bool {
        do throws(TapError) {
            // As a trace has them, where one is written.
            let fields = try ResponseFields(command: "status", encoded: answer) { _ in }
            if try fields.refusal == nil { _ = try StatusCommand.status(from: fields) }
            return true
        } catch { return false }
    }

    @Test func lists() throws {
        let step = CBORValue.unsigned(0x8000_0000)
        try Scaling.expectLinear("steps of a path", from: 8, upTo: 255) { size in
            var map = status
            map["path"] = .array(.init(repeating: step, count: size))
            return CBOREncoder.encode(.map(map))
        } work: { answer in
            #expect(read(answer))
        }
        for key in ["path", "birth", "ver", "unknown"] {
            try expectLinear("steps of `\(key)`", key, from: 256, bytes: 5, isRefused: key != "unknown") {
                .array(.init(repeating: step, count: $0))
            }
        }
        try expectLinear("lists in a list", "path", bytes: 2) { .array(.init(repeating: .array([]), count: $0)) }
        try expectLinear("fields of a map", "path", bytes: 8) { size in
            var map = CBORMap()
            for number in 0..<size { map["\(number)"] = .null }
            return .map(map)
        }
    }

    @Test func texts() throws {
        // Letters without end are no text.
        for (what, piece, isText) in [
            ("letters", "x", true), ("digits", "1", true), ("accents", "\u{316}\u{301}", false),
            ("flags", "\u{1F1E6}\u{1F1F9}", false),
        ] {
            for key in ["ver", "error", "path", "unknown"] {
                let isRefused = key == "path" || !isText
                try expectLinear("\(what) of `\(key)`", key, from: 256, bytes: piece.utf8.count, isRefused: isRefused) {
                    .text(String(repeating: piece, count: $0))
                }
            }
        }
        try expectLinear("bytes of a nonce", "card_nonce", bytes: 1, isRefused: false) {
            .bytes(.init(repeating: 1, count: $0))
        }
        try expectLinear("bytes of a key", "pubkey", bytes: 1) { .bytes(.init(repeating: 2, count: $0 + 33)) }
    }

    @Test func names() throws {
        try Scaling.expectLinear("letters of a field's name", upTo: Self.longest) { size in
            var map = status
            map[String(repeating: "x", count: size)] = .null
            return CBOREncoder.encode(.map(map))
        } work: { answer in
            #expect(read(answer))
        }
    }

    // MARK: Certificates

    private func certificates(_ size: Int) throws -> [UInt8] {
        let signature = try TestCard().key.sign(digest: Digest(hashing: [1]))
        let item = CBORValue.bytes([31] + signature.compact)
        return CBOREncoder.encode(.map(["cert_chain": .array(.init(repeating: item, count: size))]))
    }

    private func exchange() throws -> Exchange {
        Exchange(
            card: try OpenSession(.map(status)).session.status, cardNonce: TestCard.firstNonce, appNonce: [],
            sessionKey: nil, knownKeys: KnownKeys(), trace: nil)
    }

    @Test func certificates() throws {
        let (exchange, key) = (try exchange(), try TestCard().key.publicKey)
        let longest = CertificateChain.counts.upperBound
        try Scaling.expectLinear("certificates", from: 2, upTo: longest) { size in
            try certificates(size)
        } work: { answer in
            let fields = try ResponseFields(command: "certs", encoded: answer)
            let chain = try CertsCommand().response(from: fields, in: exchange)
            // Whether each gives a key is chance; those in front of one that gives none do.
            _ = try? chain.root(from: key)
        }
        try Scaling.expectLinear("certificates that are too many", from: 4 * longest, upTo: Self.longest / 67) { size in
            try certificates(size)
        } work: { answer in
            let fields = try ResponseFields(command: "certs", encoded: answer)
            #expect(throws: TapError.self) { try CertsCommand().response(from: fields, in: exchange) }
        }
    }

    // MARK: Parts

    /// The parts of an answer, each as short as can be.
    @Test func parts() throws {
        try Scaling.expectLinear("parts of an answer", from: 8, upTo: 256) { size in
            size
        } work: { size in
            let parts = [ScriptedChannel.Answer](repeating: .bytes([1, 0x61, 0x00]), count: size)
            let channel = ScriptedChannel([.bytes([0x61, 0x00])] + parts.dropLast() + [.data([1])])
            let answer = try channel.exchange(try TapAPDU.select())
            #expect(answer.data.count == size)
        }
    }
}
