import Bitcoin
import TapProtocol

/// Messages that cards sign.
extension CardManager {
    /// Signs a message with one of a card's keys, and verifies what comes out of it as anybody else would.
    /// - Parameters:
    ///   - message: UTF-8, signed as it is.
    ///   - format: `.bip137`, or `.bip322Simple` for a P2WPKH address.
    ///   - network: of the address that is told; `nil`: the card's.
    /// - Throws: `FlowError`: `.wrongProduct`, `.badPath`, `.notSetUp`, `.noSuchSlot` before the CVC is asked for;
    ///   `.unsupportedMessageFormat`; `.slotSealed`, `.slotUnused` for a slot that was not unsealed; `.card` with the proof that failed; what the interaction throws.
    public nonisolated func signMessage(
        _ message: [UInt8], by signer: MessageSigner, format: MessageSignatureFormat, network: Network? = nil,
        on card: CardAtHand
    ) async throws -> MessageSignature {
        try await lettingGo(of: card) {
            try signer.require(of: card)
            try await requireState(of: card, signer.obstacle)
            return try await perform(.signMessage, on: card) { driver, cvc in
                try await MessageFlow(driver: driver, cvc: cvc, network: network ?? card.status.network)
                    .sign(message, by: signer, format: format)
            }.result
        }
    }

    /// What a card tells the coordinator of a multisig wallet: its account's key, signed by the card with that key.
    /// - Parameters:
    ///   - token: the coordinator's.
    ///   - description: what people call the key; one line of up to 80 characters.
    /// - Returns: the account, and the record, encrypted if the token says so.
    /// - Throws: `ExportError`, `FlowError`, and what the interaction throws.
    ///
    /// Spec: BIP-129, "Round 1", "Signer".
    nonisolated func keyRecord(
        of card: CardAtHand, token: BSMSToken, description: String
    ) async throws -> (account: CardAccount, record: String) {
        try await lettingGo(of: card) {
            try BSMSKeyRecord.require(description: description)
            let (found, cvc) = try await readAccount(of: card)
            let record = try BSMSKeyRecord(token: token, key: AccountKey(found.account), description: description)
            let signed = try await MessageFlow(driver: driver(for: card), cvc: cvc, network: card.status.network)
                .sign(Array(record.message.utf8), by: .path(DerivationPath(), .p2pkh), format: .bip137)
            guard let text = record.text(signature: signed.signature) else {
                throw FlowError.card(
                    .badProof(.signingKey, detail: "the card did not sign with the key that it told"))
            }
            return (found, token.sealed(text))
        }
    }
}
