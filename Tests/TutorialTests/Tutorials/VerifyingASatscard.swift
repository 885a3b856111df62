import Bitcoin
import SmartCard
import TapProtocol

/// Why it is not safe to pay to the card on the reader.
enum SatscardDoubt: Error, Equatable {
    case notASatscard(CardProduct)
    case notGenuine(CertificateVerdict)
    case tampered
    case noSlotInUse
    case notProvenSealed(ActiveSlot.Seal)
}

/// The address of the slot in use, after every proof that the card can give without its CVC.
func provenAddress(on reader: any CardReader, acceptedRoots: [PublicKey] = []) async throws -> Address {
    let card = TapCard(reader: reader)
    return try await card.perform { session in
        guard session.status.product == .satscard else {
            throw SatscardDoubt.notASatscard(session.status.product)
        }

        let proof = try session.proveCard(customRoots: acceptedRoots)
        guard proof.verdict.isAccepted else { throw SatscardDoubt.notGenuine(proof.verdict) }
        guard !proof.status.isTampered else { throw SatscardDoubt.tampered }

        guard let slot = proof.activeSlot else { throw SatscardDoubt.noSlotInUse }
        guard slot.seal == .proven else { throw SatscardDoubt.notProvenSealed(slot.seal) }

        try session.proveSlotOrigin()
        return slot.address
    }
}
