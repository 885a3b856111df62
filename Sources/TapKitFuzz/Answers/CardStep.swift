import Bitcoin

@testable import TapProtocol

/// What a flow does in a session, and what must then be true of what it is told.
struct CardStep: Sendable {
    /// What comes before, with unaltered responses.
    var prepare: @Sendable (TapSession, CardBench) throws -> Void = { _, _ in }
    let run: @Sendable (TapSession, CardBench) throws -> Void

    static let all = [
        CardStep { session, bench in
            let before = session.status
            try session.refreshStatus()
            expectSame(session.status.publicKey, before.publicKey, "the card stays the same one")
        },
        CardStep { session, bench in
            let proof = try session.proveCard(customRoots: [bench.root])
            guard proof.verdict.isAccepted else { return }
            expectSame(proof.status.publicKey, bench.cardKey, "only the card's own key is certified")
            if let slot = proof.activeSlot {
                expectSame(slot.publicKey, bench.slotKey ?? slot.publicKey, "only the slot's own key is proven")
            }
        },
        CardStep { session, _ in _ = try session.read() },
        CardStep { session, _ in _ = try session.tapURL() },
        CardStep { session, bench in
            guard let link = try session.tapLink().proven, bench.product != .satscard else { return }
            expectSame(link.publicKey, bench.cardKey, "a proven link is the card's")
        },
        CardStep { session, _ in _ = try session.wait() },
        CardStep { session, _ in _ = try session.wait(cvc: CardBench.cvc) },

        // Signers.
        CardStep { session, _ in
            try session.createKey(chainCode: CardBench.chainCode, cvc: CardBench.cvc)
        },
        CardStep { session, _ in _ = try session.setPath(CardBench.path, cvc: CardBench.cvc) },
        CardStep { session, _ in _ = try session.account(at: CardBench.path, cvc: CardBench.cvc) },
        CardStep { session, _ in _ = try session.extendedPublicKey(master: true, cvc: CardBench.cvc) },
        CardStep(prepare: learn) { session, bench in
            let account = session.knownKeys.extendedKey(at: CardBench.path) == nil ? nil : bench.account
            let signed = try session.sign(
                digest: CardBench.digest, subpath: CardBench.subpath, cvc: CardBench.cvc)
            expect(signed.publicKey.isValid(signed.signature, for: CardBench.digest), "a signature is valid")
            expect(signed.signature.hasLowS, "a signature has low S")
            // If the card is said to be elsewhere by now, after a loss of power or another program's visit, it signs
            // with another key.
            guard session.status.path == CardBench.path else { return }
            let key = try? account?.descendant(CardBench.subpath).publicKey
            expectSame(signed.publicKey, key ?? signed.publicKey, "the key that signed is the seen account's")
        },
        CardStep { session, _ in
            try session.probe(stranger, cvc: CardBench.cvc)
            expect(false, "the card does not prove another card's account")
        },
        CardStep { session, bench in
            guard let account = bench.account else { return }
            try session.probe(account, cvc: CardBench.cvc)
        },
        CardStep { session, _ in
            let backup = try session.backup(cvc: CardBench.cvc)
            expect(EncryptedBackup.lengths.contains(backup.bytes.count), "a backup has an accepted length")
        },
        CardStep { session, _ in try session.changeCVC(from: CardBench.cvc, to: CardBench.newCVC) },
        CardStep { session, _ in try session.test(CardBench.newCVC) },

        // SATSCARD.
        CardStep { session, _ in
            try session.createSlotKey(chainCode: CardBench.chainCode, cvc: CardBench.cvc)
            let origin = try session.proveSlotOrigin(chainCode: CardBench.chainCode)
            expectSame(origin.chainCode, CardBench.chainCode, "a proven chain code is ours")
        },
        CardStep(prepare: { session, bench in if bench.slotKey != nil { _ = try session.read() } }) { session, bench in
            let opened = try session.unseal(cvc: CardBench.cvc)
            expectSame(opened.privateKey.publicKey, opened.publicKey, "an unsealed key belongs to its public key")
            expectSame(opened.publicKey, bench.slotKey ?? opened.publicKey, "the key is that of the address")
        },
        CardStep { session, _ in
            for index in 0..<3 {
                guard case .opened(let opened) = try session.dump(SlotNumber(index: index), cvc: CardBench.cvc) else {
                    continue
                }
                expectSame(opened.privateKey.publicKey, opened.publicKey, "an unsealed key belongs to its public key")
                expectSame(opened.address.scriptPubKey, .p2wpkh(opened.publicKey), "an address belongs to its key")
            }
        },
        CardStep { session, _ in _ = try session.dump(SlotNumber(index: 0)) },
        CardStep { session, bench in
            let address = required(
                Address(scriptPubKey: .p2wpkh(PlanWallet.publicKey(2, CardBench.path)), network: .main),
                "a script has an address")
            let slot = SlotNumber(index: 0)
            let signed = try session.sign(
                digest: CardBench.digest, slot: slot, address: address, cvc: CardBench.cvc)
            expect(false, "only the address's key signs: \(signed.publicKey)")
        },
    ]

    /// Another card's account.
    static let stranger = PlanWallet.key(1, CardBench.path).neutered

    /// That account's signature over what the card is asked to sign.
    static let strangersSignature =
        PlanWallet.key(1, CardBench.path).privateKey.sign(digest: CardBench.digest).compact

    @Sendable private static func learn(_ session: TapSession, _ bench: CardBench) throws {
        guard bench.account != nil else { return }
        _ = try session.extendedPublicKey(master: false, cvc: CardBench.cvc)
    }
}
