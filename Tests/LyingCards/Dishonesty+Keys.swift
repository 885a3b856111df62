import Bitcoin
import ByteCodec

@testable import TapSimulator

/// Lies about which keys are in force, and what they come from.
extension Dishonesty {
    func keyAnswer(
        _ request: CardRequest, accomplice: Accomplice, card: inout CardCore, next: NextAnswer
    ) throws(CardFault) -> CBORMap {
        func honestly(_ card: inout CardCore) throws(CardFault) -> CBORMap { try next(request, &card) }
        let withOtherKey = { (state: inout SimulatedCardState) in state.takeKey(of: accomplice) }
        switch (self, request.command) {
        case (.ignoresChainCode, "new") where request.has("chain_code"):
            return try next(request.replacing("chain_code", .bytes(card.randomBytes(32))), &card)
        case (.claimsSuppliedChainCode, "new") where request.has("chain_code"):
            let claimed = try request.bytes("chain_code", length: 32)
            let answer = try next(request.replacing("chain_code", .bytes(card.randomBytes(32))), &card)
            card.deceit?.claimedChainCode = claimed
            return answer
        case (.claimsSuppliedChainCode, "derive") where card.state.product == .satscard,
            (.claimsSuppliedChainCode, "xpub") where (try? request.flag("master")) == true:
            guard let claimed = card.deceit?.claimedChainCode else { return try honestly(&card) }
            return try card.pretending({ $0.takeChainCode(claimed) }, honestly)
        case (.claimsSuppliedChainCode, "backup"):
            guard let claimed = card.deceit?.claimedChainCode else { return try honestly(&card) }
            return try counted(&card, { $0.takeChainCode(claimed) }, honestly)
        case (.backupOfAnotherKey, "backup"): return try counted(&card, withOtherKey, honestly)
        case (.masterXpubOfAnotherKey, "xpub") where (try? request.flag("master")) == true,
            (.xpubOfAnotherKey, "xpub") where (try? request.flag("master")) == false:
            return try card.pretending(withOtherKey, honestly)
        case (.xpubWithAnotherChainCode, "xpub") where (try? request.flag("master")) == false:
            return try honestly(&card).patching("xpub", at: 13, with: accomplice.key.chainCode)
        case (.changesNothing, "change"):
            let cvc = card.state.cvc
            let answer = try honestly(&card)
            card.state.cvc = cvc
            return answer
        case (.derivesAnotherPath, _): return try otherPathAnswer(request, card: &card, next: next)
        default: return try honestly(&card)
        }
    }

    /// A `backup` of another key, which counts all the same.
    private func counted(
        _ card: inout CardCore, _ pretence: (inout SimulatedCardState) -> Void,
        _ honestly: (inout CardCore) throws(CardFault) -> CBORMap
    ) throws(CardFault) -> CBORMap {
        let forged = try card.pretending(pretence, honestly)
        _ = try honestly(&card)
        return forged
    }

    private func otherPathAnswer(
        _ request: CardRequest, card: inout CardCore, next: NextAnswer
    ) throws(CardFault) -> CBORMap {
        switch request.command {
        case "derive":
            guard var path = try request.path("path"), let last = path.last else { return try next(request, &card) }
            card.deceit?.claimedPath = path
            path[path.count - 1] = last ^ 1
            return try next(request.replacing("path", .array(path.map { .unsigned(UInt64($0)) })), &card)
        case "status":
            var answer = try next(request, &card)
            if let path = card.deceit?.claimedPath { answer["path"] = .array(path.map { .unsigned(UInt64($0)) }) }
            return answer
        case "xpub" where (try? request.flag("master")) == false:
            guard let last = card.deceit?.claimedPath?.last else { return try next(request, &card) }
            let number = withUnsafeBytes(of: last.bigEndian) { Array($0) }
            return try next(request, &card).patching("xpub", at: 9, with: number)
        default: return try next(request, &card)
        }
    }
}

extension SimulatedCardState {
    /// Puts another chain code in the place of the signer's, or the sealed slot's.
    fileprivate mutating func takeChainCode(_ chainCode: [UInt8]) {
        signerKey = signerKey.map { SignerKey(master: $0.master.with(chainCode: chainCode), path: $0.path) }
        changeSlots { slots in
            guard let key = slots.sealedKey else { return }
            slots.slots[slots.firstUnopened] = .sealed(key.with(chainCode: chainCode))
        }
    }
}

extension CBORMap {
    /// The same map with some bytes of a byte string replaced.
    fileprivate func patching(_ name: String, at offset: Int, with bytes: [UInt8]) -> CBORMap {
        guard case .bytes(let content)? = self[name], offset + bytes.count <= content.count else { return self }
        var map = self
        map[name] = .bytes(content.replacing(offset..<(offset + bytes.count), with: bytes))
        return map
    }
}
