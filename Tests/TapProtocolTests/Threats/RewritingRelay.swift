import Bitcoin
import ByteCodec
import Synchronization
import TapSimulator

@testable import TapProtocol

/// Stands between host and card and rewrites what it likes. It knows neither the CVC nor the card's keys; it has keys of
/// its own.
final class RewritingRelay: CardInterceptor {
    /// An answer to be rewritten, and what the relay knows beside it.
    struct Answer {
        let command: String
        let request: CBORMap
        /// The card's nonce before the command.
        let cardNonce: [UInt8]
        /// The card's own answer; empty when it was not asked.
        var map: CBORMap
    }

    private let nonce = Mutex<[UInt8]>([])
    private let onRequest: @Sendable (inout CBORMap) -> Bool
    private let onAnswer: @Sendable (inout Answer) throws -> Void

    /// - Parameters:
    ///   - onRequest: rewrites a request; false: the card does not get it.
    ///   - onAnswer: rewrites the answer.
    init(
        onRequest: @escaping @Sendable (inout CBORMap) -> Bool = { _ in true },
        onAnswer: @escaping @Sendable (inout Answer) throws -> Void = { _ in }
    ) {
        self.onRequest = onRequest
        self.onAnswer = onAnswer
    }

    func command(_ exchange: CardExchange) -> CommandInterception {
        guard let honest = ScriptedChannel.map(in: exchange.command) else { return .pass }
        var map = honest
        guard onRequest(&map) else { return .answer([0x90, 0x00]) }
        guard map != honest else { return .pass }
        let data = CBOREncoder.encode(.map(map))
        return .replace(exchange.command.prefix(4) + [UInt8(data.count)] + data)
    }

    func answer(_ answer: [UInt8], to exchange: CardExchange) -> AnswerInterception {
        var map = CBORMap()
        if case .map(let honest)? = try? CBORDecoder.decode(Array(answer.dropLast(2))) { map = honest }
        var rewritten = Answer(
            command: exchange.name, request: ScriptedChannel.map(in: exchange.command) ?? [:],
            cardNonce: nonce.withLock { $0 }, map: map)
        try? onAnswer(&rewritten)
        if case .bytes(let next)? = rewritten.map["card_nonce"] { nonce.withLock { $0 = next } }
        return .replace(CBOREncoder.encode(.map(rewritten.map)) + [0x90, 0x00])
    }
}

extension RewritingRelay.Answer {
    /// The answer to `derive` as the relay's own card would give it.
    mutating func takeAccount(of master: ExtendedPrivateKey) throws {
        guard case .bytes(let nonce)? = request["nonce"], case .array(let items)? = request["path"] else { return }
        let steps = items.map { item in
            if case .unsigned(let step) = item { UInt32(truncatingIfNeeded: step) } else { UInt32(0) }
        }
        let derived = try master.descendant(DerivationPath(steps.map(ChildNumber.init(rawValue:))))
        let digest = Digest(hashing: Array("OPENDIME".utf8) + cardNonce + nonce + derived.chainCode.bytes)
        map["sig"] = .bytes(master.privateKey.sign(digest: digest).compact)
        map["chain_code"] = .bytes(derived.chainCode.bytes)
        map["master_pubkey"] = .bytes(master.privateKey.publicKey.bytes)
        map["pubkey"] = .bytes(derived.privateKey.publicKey.bytes)
    }
}
