import Bitcoin
import ByteCodec
import Synchronization
import TapSimulator

/// Puts another digest in the place of a known one, under the session key that hides both.
final class DigestExchange: CardInterceptor {
    private struct State {
        /// What came of it: exchanges whose signature is one over the relay's digest.
        var loot: [OverheardExchange] = []
        /// The card's nonce as the host knows it, and as it is.
        var told: [UInt8] = []
        var real: [UInt8] = []
    }

    private let known: Digest
    let own: Digest
    /// Whether the theft is hidden behind a refusal, and followed by honesty.
    private let hides: Bool
    private let state = Mutex(State())

    var loot: [OverheardExchange] { state.withLock { $0.loot } }

    init(known: Digest, own: Digest, hides: Bool = false) {
        (self.known, self.own, self.hides) = (known, own, hides)
    }

    func command(_ exchange: CardExchange) -> CommandInterception {
        guard exchange.name == "sign", var request = OverheardExchange.request(in: exchange.command),
            let hidden = request.bytes("digest"), let xcvc = request.bytes("xcvc")
        else { return .pass }
        let state = state.withLock { $0 }
        if !hides || state.loot.isEmpty { request["digest"] = .bytes(hidden.xor(known.bytes).xor(own.bytes)) }
        // The CVC's mask is made of what everybody knows.
        let masks = [state.told, state.real].map { SHA256.hash($0 + Array("sign".utf8)) }
        request["xcvc"] = .bytes(xcvc.xor(masks[0]).xor(masks[1]))
        return .replace(OverheardExchange.command(request))
    }

    func answer(_ answer: [UInt8], to exchange: CardExchange) -> AnswerInterception {
        let overheard = OverheardExchange(exchange, answer: answer)
        return state.withLock { state in
            state.real = overheard.answer.bytes("card_nonce") ?? state.real
            let isTheft = exchange.name == "sign" && (!hides || state.loot.isEmpty)
            if isTheft { state.loot.append(overheard) }
            guard isTheft, hides else {
                state.told = state.real
                return .pass
            }
            let refusal: CBORMap = ["error": .text("unlucky number"), "code": .unsigned(205)]
            return .replace(CBOREncoder.encode(.map(refusal)) + [0x90, 0x00])
        }
    }
}
