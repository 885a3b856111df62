import Bitcoin
import ByteCodec
import SmartCard
import TestSupport
import Testing

@testable import TapSimulator

/// A small app for these tests, written from the protocol page: no retries, no checks, every answer as it came.
final class AppSide {
    let card: SimulatedCard
    /// Changed by tests that want to be wrong.
    var cvc: String
    private(set) var cardNonce: [UInt8] = []
    private(set) var cardKey: PublicKey?
    private(set) var sessionKey: [UInt8] = []
    /// The nonce of the last `request` that had one.
    private(set) var nonce: [UInt8] = []
    /// The card nonce that was in force before the last request.
    private(set) var usedCardNonce: [UInt8] = []
    private var random: CardRandom

    init(_ card: SimulatedCard, seed: UInt8 = 1) throws {
        self.card = card
        cvc = card.record.cvc
        random = CardRandom(seed: [seed], session: 0)
        try tap()
    }

    convenience init(_ options: SimulatedCardOptions, seed: UInt8 = 1) throws {
        try self.init(try SimulatedCard(options, waitDuration: .zero), seed: seed)
    }

    /// Power, then SELECT.
    func tap() throws {
        try card.powerOn()
        let answer = try #require(ResponseAPDU(card.process(apdu: Self.select)))
        #expect(answer.status == .success)
        _ = try learn(from: answer.data)
    }

    static let select = Array<UInt8>([0x00, 0xA4, 0x04, 0x00, 0x0F]) + [0xF0] + Array("CoinkiteCARDv1".utf8)

    /// One request with the given arguments; `cmd` is added.
    func send(_ name: String, _ arguments: CBORMap = [:]) throws -> CBORMap {
        var arguments = arguments
        arguments["cmd"] = .text(name)
        return try send(raw: CBOREncoder.encode(.map(arguments)))
    }

    /// One request with a fresh nonce.
    func sendWithNonce(_ name: String, _ arguments: CBORMap = [:]) throws -> CBORMap {
        nonce = random.bytes(16)
        var arguments = arguments
        arguments["nonce"] = .bytes(nonce)
        return try send(name, arguments)
    }

    /// Arguments with `epubkey` and `xcvc` for a command.
    func authenticated(_ name: String, _ arguments: CBORMap = [:]) throws -> CBORMap {
        let ephemeral = PrivateKey(using: &random)
        let secret = try ephemeral.sharedSecret(with: #require(cardKey))
        sessionKey = secret.withBytes { Array($0) }
        let mask = zip(sessionKey, SHA256.hash(cardNonce + Array(name.utf8))).map { $0 ^ $1 }
        var arguments = arguments
        arguments["epubkey"] = .bytes(ephemeral.publicKey.bytes)
        arguments["xcvc"] = .bytes(zip(Array(cvc.utf8), mask).map { $0 ^ $1 })
        return arguments
    }

    /// One authenticated request.
    /// - Parameter hidden: arguments that the session key hides.
    func sendWithCVC(
        _ name: String, _ arguments: CBORMap = [:], hidden: [String: [UInt8]] = [:], wantsNonce: Bool = false
    ) throws -> CBORMap {
        var arguments = try authenticated(name, arguments)
        for (key, value) in hidden { arguments[key] = .bytes(reveal(value)) }
        return wantsNonce ? try sendWithNonce(name, arguments) : try send(name, arguments)
    }

    /// One request of any bytes.
    func send(raw request: [UInt8]) throws -> CBORMap {
        usedCardNonce = cardNonce
        let command = try CommandAPDU(class: 0, instruction: 0xCB, parameter1: 0, parameter2: 0, data: request)
        let answer = try #require(ResponseAPDU(card.process(apdu: command.encoded)))
        #expect(answer.status == .success)
        return try learn(from: answer.data)
    }

    /// Hides with the last session key, or shows again.
    func reveal(_ bytes: [UInt8]) -> [UInt8] { zip(bytes, sessionKey).map { $0 ^ $1 } }

    /// The message of the last request that carried a nonce, hashed.
    func digest(rest: [UInt8]) -> Digest {
        Digest(hashing: Array("OPENDIME".utf8) + usedCardNonce + nonce + rest)
    }

    private func learn(from data: [UInt8]) throws -> CBORMap {
        guard case .map(let map) = try CBORDecoder.decode(data) else {
            Issue.record("The answer is no map.")
            return [:]
        }
        if let nonce = map["card_nonce"]?.content { cardNonce = nonce }
        // Only `status` names the card's own key beside its version.
        if map["ver"] != nil, let key = map["pubkey"]?.content { cardKey = try PublicKey(key) }
        return map
    }
}

extension CBORValue {
    var content: [UInt8]? { if case .bytes(let bytes) = self { bytes } else { nil } }
    var number: UInt64? { if case .unsigned(let number) = self { number } else { nil } }
    var string: String? { if case .text(let text) = self { text } else { nil } }
}

extension CBORMap {
    /// The bytes at a key; a missing one fails the test.
    func content(_ key: String) throws -> [UInt8] { try #require(self[key]?.content, "no bytes at \(key): \(self)") }

    /// The text at a key; a missing one fails the test.
    func string(_ key: String) throws -> String { try #require(self[key]?.string, "no text at \(key): \(self)") }

    /// The card's error number, if it is an error.
    var errorCode: UInt64? { self["code"]?.number }
}
