import Bitcoin
import ByteCodec

/// `sign` as a proof: over 32 fresh random bytes that only host and card can know. Only the card can have signed them,
/// and a listener learns nothing from them later.
///
/// Verified: the signature over those bytes, by the only key that the claim allows.
///
/// Spec: protocol, "Who can forge what" (the probe).
struct ProbeCommand: TapCommand {
    static let name = SignCommand.name

    /// What the card must prove that it holds.
    enum Claim {
        /// TAPSIGNER, SATSCHIP: an extended key at the card's path. A random key two steps below it signs, the deepest
        /// the card allows, so no extended key below the card's can pass for it.
        case account(subpath: DerivationPath, key: PublicKey)
        /// SATSCARD: the key of an unsealed slot, identified by its address.
        case slot(SlotNumber, Address)
    }

    let claim: Claim
    /// 32 random bytes.
    private let digest: SecretBytes

    /// Steps between an account and the key that signs: as many as a card allows.
    static let subpathSteps = SignCommand.maximumSubpathSteps

    /// - Throws: `TapError.weakRandomness` if all the random bytes are equal: they could be guessed.
    init(_ claim: Claim, using random: inout any RandomNumberGenerator) throws(TapError) {
        self.claim = claim
        digest = SecretBytes(count: Digest.length) { buffer in
            for index in buffer.indices { buffer[index] = UInt8.random(in: 0...255, using: &random) }
        }
        guard digest.withBytes({ bytes in bytes.contains { $0 != bytes[0] } }) else { throw .weakRandomness }
    }

    static func authentication(for product: CardProduct) -> Authentication { .required }

    func arguments(in exchange: Exchange) -> CBORMap {
        let hidden = CBORValue.bytes(digest.withBytes { exchange.sessionKey?.hidden($0) ?? [] })
        switch claim {
        case .account(let subpath, _):
            return [
                "slot": .unsigned(0), "digest": hidden,
                "subpath": .array(subpath.steps.map { .unsigned(UInt64($0.rawValue)) }),
            ]
        case .slot(let slot, _): return ["slot": .unsigned(UInt64(clamping: slot.index)), "digest": hidden]
        }
    }

    func response(from fields: ResponseFields, in exchange: Exchange) throws(TapError) -> CardSignature {
        switch claim {
        case .account: try fields.confirmSlot(SlotNumber(index: 0))
        case .slot(let slot, _): try fields.confirmSlot(slot)
        }
        return CardSignature(signature: try fields.signature("sig"), publicKey: try fields.publicKey("pubkey"))
    }

    func verify(_ response: CardSignature, in exchange: Exchange) throws(TapError) {
        let isSigned = response.publicKey.isValid(response.signature, forSecret: digest)
        switch claim {
        case .account(_, let key):
            guard isSigned, response.publicKey == key else {
                throw .badProof(
                    .account, detail: "random bytes were not signed by the key derived from the account's extended key")
            }
        case .slot(let slot, let address):
            let key = response.publicKey
            guard isSigned, exchange.card.slotAddress(of: key)?.scriptPubKey == address.scriptPubKey else {
                throw .badProof(
                    .openedSlot, detail: "random bytes were not signed by the key of slot \(slot)'s address")
            }
            guard exchange.knownKeys.slotKey(slot) ?? key == key else {
                throw .badProof(.slotKey, detail: "the key of slot \(slot) is not the one the card gave before")
            }
        }
    }
}
