import Bitcoin

@testable import TapProtocol

/// The steps on a TAPSIGNER or SATSCHIP, each by itself: what they say of keys is the word of whoever answers.
extension MatrixStep {
    static let signers: [MatrixStep] = [
        MatrixStep(name: "createKey", products: CardProduct.signers, scenes: [.blank]) { session, card in
            try session.createKey(chainCode: card.chainCode, cvc: card.cvc)
            return "\(session.status.isSetUp)"
        },
        MatrixStep(name: "setPath", products: CardProduct.signers, scenes: [.ready]) { session, card in
            text(try session.setPath(card.otherPath, cvc: card.cvc))
        },
        MatrixStep(
            name: "setPath, all known", products: CardProduct.signers, scenes: [.ready], prepare: learnAll
        ) { session, card in text(try session.setPath(card.path, cvc: card.cvc)) },
        MatrixStep(name: "account", products: CardProduct.signers, scenes: [.ready]) { session, card in
            text(try session.account(at: card.otherPath, cvc: card.cvc))
        },
        MatrixStep(name: "test", products: CardProduct.signers, scenes: [.ready]) { session, card in
            try session.test(card.cvc)
            return "right"
        },
        MatrixStep(name: "xpub", products: CardProduct.signers, scenes: [.ready]) { session, card in
            try session.extendedPublicKey(master: false, cvc: card.cvc).text
        },
        MatrixStep(
            name: "xpub, all known", products: CardProduct.signers, scenes: [.ready], prepare: learnAll
        ) { session, card in
            try session.extendedPublicKey(master: false, cvc: card.cvc).text
                + session.extendedPublicKey(master: true, cvc: card.cvc).text
        },
        MatrixStep(
            name: "sign", products: CardProduct.signers, scenes: [.ready], prepare: learnAll
        ) { session, card in
            text(try session.sign(digest: card.digest, subpath: card.subpath, cvc: card.cvc), card.digest)
        },
        MatrixStep(
            name: "sign, the first number unlucky", products: CardProduct.signers, scenes: [.ready], isUnlucky: true,
            prepare: learnAll
        ) { session, card in
            text(try session.sign(digest: card.digest, subpath: card.subpath, cvc: card.cvc), card.digest)
        },
        MatrixStep(
            name: "backup", products: [.tapsigner], scenes: [.ready], prepare: learnAll
        ) { session, card in
            guard let key = card.backupKey else { throw Refused() }
            let backup = try Backup(decrypting: try session.backup(cvc: card.cvc), key: key)
            guard let master = session.knownKeys.extendedKey(at: DerivationPath()), backup.belongs(to: master) else {
                throw Refused()
            }
            return "\(backup.masterKey.text) \(backup.path)"
        },
        MatrixStep(
            name: "changeCVC", products: CardProduct.signers, scenes: [.ready], changesCVC: true
        ) { session, card in
            try session.changeCVC(from: card.cvc, to: card.newCVC)
            return "changed"
        },
        MatrixStep(
            name: "test with a wrong CVC", products: CardProduct.signers, scenes: [.ready], isRefused: true
        ) { session, card in
            do {
                try session.test(card.newCVC)
                return "right"
            } catch TapError.wrongCVC(let tries) { return "wrong CVC, \(tries)" }
        },
    ]

    static func text(_ account: ClaimedAccount) -> String {
        "\(account.path) \(account.key.text) \(account.masterKey)"
    }

    /// The extended keys of the master key and of the path.
    @Sendable static func learnAll(_ session: TapSession, _ card: MatrixCard) throws {
        _ = try session.extendedPublicKey(master: true, cvc: card.cvc)
        _ = try session.extendedPublicKey(master: false, cvc: card.cvc)
    }
}
