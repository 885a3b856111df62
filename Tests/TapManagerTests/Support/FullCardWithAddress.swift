import Bitcoin
import ByteCodec
import LyingCards
import Synchronization

@testable import TapSimulator

/// A full card as some versions are: the last slot stays the active one, shows its address and signs `read`, although it
/// was opened. `check` signs no slot's key.
///
/// Spec: protocol, "Commands" (after `unseal`).
final class FullCardWithAddress: CardInterceptor {
    private let card: SimulatedCard
    private let nonce = Mutex<[UInt8]>([])

    init(_ card: SimulatedCard) { self.card = card }

    func command(_ exchange: CardExchange) -> CommandInterception {
        guard exchange.name == "read", let key = lastKey,
            let request = try? CardRequest(Array(exchange.command.dropFirst(5))),
            let appNonce = try? request.nonce()
        else { return .pass }
        let cardNonce = nonce.withLock { $0 }
        let message = Array("OPENDIME".utf8) + cardNonce + appNonce + [9]
        let signature = key.signGrindingLowR(digest: Digest(hashing: message))
        let answer: CBORMap = [
            "sig": .bytes(signature.compact), "pubkey": .bytes(key.publicKey.bytes), "card_nonce": .bytes(cardNonce),
        ]
        return .answer(CBOREncoder.encode(.map(answer)) + [0x90, 0x00])
    }

    func answer(_ answer: [UInt8], to exchange: CardExchange) -> AnswerInterception {
        if let field = AnswerAnatomy(answer)?.field("card_nonce") {
            nonce.withLock { $0 = Array(answer[field.content]) }
        }
        guard ["select", "status"].contains(exchange.name), let key = lastKey else { return .pass }
        let address = SlotAddress(key, card.record.network).trimmed
        let lie = Lie.set("slots", .array([.unsigned(9), .unsigned(10)])).then(.add("addr", .text(address)))
        return .replace(lie.tell(answer, LiarContext(exchange: exchange)))
    }

    /// The last slot's key, once the slot was opened.
    private var lastKey: PrivateKey? {
        guard case .satscard(let slots) = card.state.content, case .unsealed(let key)? = slots.slots.last else {
            return nil
        }
        return try? key.slotKey(card.state.network)
    }
}
