import Bitcoin
import ByteCodec

@testable import TapSimulator

/// Lies about what was signed, and by whom.
extension Dishonesty {
    func signatureAnswer(
        _ request: CardRequest, session: SessionKey?, accomplice: Accomplice, card: inout CardCore, next: NextAnswer
    ) throws(CardFault) -> CBORMap {
        func honestly(_ card: inout CardCore) throws(CardFault) -> CBORMap { try next(request, &card) }
        let withOtherKey = { (state: inout SimulatedCardState) in
            state.takeKey(of: accomplice, inOpenedSlots: true)
        }
        switch (self, request.command) {
        case (.signsWithAnotherKey, "sign"): return try card.pretending(withOtherKey, honestly)
        case (.signsWithAnotherKeyInOurName, "sign"):
            let truth = try SignHandler.signingKey(request, slot: request.slot(), state: card.state)
            var answer = try card.pretending(withOtherKey, honestly)
            answer["pubkey"] = .bytes(truth.publicKey.bytes)
            return answer
        case (.signsAnotherDigest, "sign"):
            // One-time pad: what is changed in the hidden digest is changed in the digest.
            var digest = try request.bytes("digest", length: Digest.length)
            digest[0] ^= 1
            return try next(request.replacing("digest", .bytes(digest)), &card)
        case (.signsAtAnotherSubpath, "sign") where card.state.product != .satscard:
            var subpath = try request.path("subpath") ?? []
            if let last = subpath.popLast() { subpath.append(last ^ 1) } else { subpath = [0] }
            return try next(request.replacing("subpath", .array(subpath.map { .unsigned(UInt64($0)) })), &card)
        case (.signsWithHighS, _):
            var answer = try honestly(&card)
            for name in ["sig", "auth_sig"] {
                if case .bytes(let signature)? = answer[name] { answer[name] = .bytes(HighS.of(signature)) }
            }
            return answer
        case (.signsWithHighR, "sign"):
            var answer = try honestly(&card)
            guard let session else { return answer }
            let key = try SignHandler.signingKey(request, slot: request.slot(), state: card.state)
            guard let digest = Digest(session.masking(try request.bytes("digest", length: Digest.length))) else {
                throw .badArguments
            }
            var signature = try card.sign(digest: digest, with: key)
            while signature.hasLowR { signature = try card.sign(digest: digest, with: key) }
            answer["sig"] = .bytes(signature.compact)
            return answer
        case (.linkByAnotherKey, "nfc"): return try linkAnswer(try honestly(&card), accomplice, &card)
        default: return try honestly(&card)
        }
    }

    private func linkAnswer(
        _ honest: CBORMap, _ accomplice: Accomplice, _ card: inout CardCore
    ) throws(CardFault) -> CBORMap {
        guard case .text(let url)? = honest["url"], url.hasSuffix("#") == false,
            let start = url.firstIndex(of: "#"), let end = url.lastIndex(of: "="),
            let key = try? PrivateKey(accomplice.cardKey.bytes)
        else { return honest }
        let message = url[url.index(after: start)...end]
        let signature = try card.sign(digest: Digest(hashing: message.utf8), with: key)
        var answer = honest
        answer["url"] = .text(url[...end] + Hex.encode(signature.compact))
        return answer
    }
}
