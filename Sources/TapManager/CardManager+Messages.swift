import Bitcoin
import TapProtocol

/// Messages signed by cards.
extension CardManager {
    /// Signs a message with one of a card's keys, and verifies the result as anyone else would. The message and the key
    /// are confirmed before the CVC is asked for (`Question.signMessage`).
    /// - Parameters:
    ///   - message: UTF-8, signed unchanged.
    ///   - format: `.bip137`, or `.bip322Simple` for a P2WPKH address.
    ///   - network: of the address that is returned; `nil`: the card's.
    /// - Throws: `FlowError`: `.wrongProduct`, `.badPath`, `.notSetUp`, `.noSuchSlot` before anything is asked;
    ///   `.unsupportedMessageFormat`; `.slotSealed`, `.slotUnused` for a slot that is not unsealed; `.card` with the
    ///   proof that failed; what the interaction throws.
    public nonisolated func signMessage(
        _ message: [UInt8], by signer: MessageSigner, format: MessageSignatureFormat, network: Network? = nil,
        on card: CardAtHand
    ) async throws -> MessageSignature {
        try await lettingGo(of: card) {
            try signer.require(of: card)
            try await requireState(of: card, signer.obstacle)
            tellLockout(of: card)
            let shown = network ?? card.status.network
            let question: MessageQuestion
            switch signer {
            case .path(let subpath, let kind):
                let account =
                    try driver(for: card).journal.owedPath(from: card.status.path) ?? card.status.path
                    ?? DerivationPath()
                question = self.question(message, subpath, below: account, as: kind, network: shown, on: card)
            case .slot(let slot):
                let found = try await MessageFlow.signingSlot(slot, of: driver(for: card))
                question = MessageQuestion(
                    signer: card, message: message, key: .slot(found.slot), address: found.address.written(for: shown))
            }
            try await interaction.confirm(.signMessage(question))
            return try await perform(question.purpose, on: card, isLockoutTold: true) { driver, cvc in
                let flow = MessageFlow(driver: driver, cvc: cvc, network: shown)
                guard case .slot(let slot?) = question.key else {
                    return try await flow.sign(message, by: signer, format: format)
                }
                return try await flow.sign(message, by: slot, confirmed: question.address, format: format)
            }.result
        }
    }

    /// The question before a message is signed with a key of a TAPSIGNER or SATSCHIP. Does not ask the card: the
    /// address is included if the store has the account as proven.
    nonisolated func question(
        _ message: [UInt8], _ subpath: DerivationPath, below account: DerivationPath, as kind: ScriptKind?,
        network: Network, on card: CardAtHand
    ) -> MessageQuestion {
        let kind = kind ?? ScriptKind(accountPath: account) ?? .p2wpkh
        let known = try? store.provenAccount(of: card.status.publicKey, at: account)
        let key = known.flatMap { try? $0.key.descendant(subpath).publicKey }
        return MessageQuestion(
            signer: card, message: message, key: .path(account.appending(subpath)),
            address: key.flatMap { Address(scriptPubKey: kind.scriptPubKey(for: $0), network: network) })
    }

    /// A card's key record for the coordinator of a multisig wallet: its account's key, signed by the card with that
    /// key. It is confirmed before the CVC is asked for (`Question.signKeyRecord`), and once more if the card shows
    /// another key than was confirmed.
    /// - Parameters:
    ///   - token: the coordinator's.
    ///   - description: people's name for the key; one line of up to 80 characters.
    /// - Returns: the account, and the record, encrypted if the token requires it.
    /// - Throws: `ExportError`, `FlowError`, and what the interaction throws.
    ///
    /// Spec: BIP-129, "Round 1", "Signer".
    nonisolated func keyRecord(
        of card: CardAtHand, token: BSMSToken, description: String
    ) async throws -> (account: CardAccount, record: String) {
        try await lettingGo(of: card) {
            try BSMSKeyRecord.require(description: description)
            let path =
                try driver(for: card).journal.owedPath(from: card.status.path) ?? card.status.path ?? DerivationPath()
            let known = try? store.provenAccount(of: card.status.publicKey, at: path)?.key
            func confirm(_ key: ExtendedPublicKey?, at path: DerivationPath) async throws {
                try await interaction.confirm(
                    .signKeyRecord(
                        card, at: path, key: key, isEncrypted: token.shared != nil,
                        description: description))
            }
            try await confirm(known, at: path)
            let (found, cvc) = try await readAccount(of: card, for: .signKeyRecord(description: description))
            if found.account.path != path || known != nil && known != found.account.key {
                try await confirm(found.account.key, at: found.account.path)
            }
            let record = try BSMSKeyRecord(token: token, key: AccountKey(found.account), description: description)
            let signed = try await MessageFlow(driver: driver(for: card), cvc: cvc, network: card.status.network)
                .sign(Array(record.message.utf8), by: .path(DerivationPath(), .p2pkh), format: .bip137)
            guard let text = record.text(signature: signed.signature.description) else {
                throw FlowError.card(
                    .badProof(.signingKey, detail: "the card did not sign with the key that it showed"))
            }
            return (found, token.sealed(text))
        }
    }
}
