import ByteCodec

/// `new`: picks the signer's key, or sets up a SATSCARD's next slot.
///
/// Spec: protocol, "Commands", `new`.
enum NewHandler: CommandHandler {
    static let name = "new"

    static func authentication(on product: SimulatedProduct) -> AuthenticationNeed { .required }

    static func answer(
        _ request: CardRequest, session: SessionKey?, card: inout CardCore
    ) throws(CardFault) -> CBORMap {
        let slot = try request.slot()
        let chainCode = request.has("chain_code") ? try request.bytes("chain_code", length: 32) : nil
        switch card.state.content {
        case .tapsigner, .satschip:
            guard slot == 0, let chainCode else { throw .badArguments }
            guard card.state.signerKey == nil else { throw .invalidCommand }
            card.state.signerKey = SignerKey(
                master: try pick(chainCode, &card), path: SignerKey.startingPath)
        case .satscard(var slots):
            guard slots.firstUnopened < slots.slots.count else { throw .invalidCommand }
            guard slot == slots.firstUnopened else { throw .badArguments }
            guard slots.slots[slot] == .unused else { throw .invalidState }
            guard let chainCode = chainCode ?? slots.key(at: slot - 1)?.chainCode else { throw .badArguments }
            slots.slots[slot] = .sealed(try pick(chainCode, &card))
            card.state.content = .satscard(slots)
        }
        return ["slot": .unsigned(UInt64(slot))]
    }

    private static func pick(_ chainCode: [UInt8], _ card: inout CardCore) throws(CardFault) -> PickedKey {
        guard let key = card.randomKey() else { throw .invalidState }
        return PickedKey(masterKey: key, chainCode: chainCode)
    }
}
