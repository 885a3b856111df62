import Bitcoin
import ByteCodec

@testable import TapSimulator

/// Lies about who the card is.
extension Dishonesty {
    func identityAnswer(
        _ request: CardRequest, accomplice: Accomplice, card: inout CardCore, next: NextAnswer
    ) throws(CardFault) -> CBORMap {
        let other = { (state: inout SimulatedCardState) in state.takeIdentity(of: accomplice) }
        func asOther(_ card: inout CardCore) throws(CardFault) -> CBORMap {
            try card.pretending(other) { (card: inout CardCore) throws(CardFault) in try next(request, &card) }
        }
        switch (self, request.command) {
        case (.noCertificates, "certs"):
            var answer = try next(request, &card)
            answer["cert_chain"] = .array([])
            return answer
        case (.ownCertificates, "certs"):
            var answer = try next(request, &card)
            answer["cert_chain"] = .array(try Self.ownChain(for: card.state.cardPrivateKey().publicKey))
            return answer
        case (.certificatesOfAnotherCard, "certs"), (.identityOfAnotherCard, "certs"),
            (.identityOfAnotherCard, "status"), (.checkByAnotherKey, "check"), (.checkRelayed, "certs"),
            (.checkRelayed, "check"):
            return try asOther(&card)
        case (.identChangesBetweenAnswers, "status"):
            card.deceit?.statusAnswers += 1
            let isEven = card.deceit?.statusAnswers.isMultiple(of: 2) == true
            return try isEven ? asOther(&card) : next(request, &card)
        default: return try next(request, &card)
        }
    }

    /// Certificates like a factory's, by keys that no factory has.
    private static func ownChain(for cardKey: PublicKey) throws(CardFault) -> [CBORValue] {
        do {
            var random = CardRandom(seed: Array("counterfeiter".utf8), session: 0)
            let (batch, root) = (PrivateKey(using: &random), PrivateKey(using: &random))
            return [
                .bytes(try SimulatedFactory.certificate(for: cardKey, by: batch, header: .segwit)),
                .bytes(try SimulatedFactory.certificate(for: batch.publicKey, by: root, header: .segwit)),
            ]
        } catch { throw .invalidState }
    }
}
