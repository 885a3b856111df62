import Bitcoin

@testable import TapProtocol

/// The steps on a TAPSIGNER or SATSCHIP.
extension MatrixStep {
    static let signers: [MatrixStep] = [
        MatrixStep(name: "createKey", products: CardProduct.signers, scenes: [.blank]) { session, card in
            let master = try session.createKey(chainCode: card.chainCode, cvc: card.cvc)
            return "\(master.text) \(session.status.isSetUp)"
        },
        MatrixStep(name: "setPath", products: CardProduct.signers, scenes: [.ready]) { session, card in
            try session.setPath(card.otherPath, cvc: card.cvc).text
        },
        MatrixStep(
            name: "setPath, all known", products: CardProduct.signers, scenes: [.ready], prepare: learnAll
        ) { session, card in try session.setPath(card.path, cvc: card.cvc).text },
        MatrixStep(name: "account", products: CardProduct.signers, scenes: [.ready]) { session, card in
            let account = try session.account(at: card.otherPath, cvc: card.cvc)
            return "\(account.key.text) \(account.masterFingerprint)"
        },
        MatrixStep(name: "read", products: CardProduct.signers, scenes: [.ready], prepare: learnAll) { session, card in
            try session.read(cvc: card.cvc).description
        },
        MatrixStep(
            name: "xpub", products: CardProduct.signers, scenes: [.ready], prepare: learnAll
        ) { session, card in
            try session.extendedPublicKey(master: false, cvc: card.cvc).text
                + session.proveChainCode(card.chainCode, cvc: card.cvc).text
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
            name: "backup", products: [.tapsigner], scenes: [.ready],
            prepare: { session, card in try session.proveChainCode(card.chainCode, cvc: card.cvc) }
        ) { session, card in
            guard let key = card.backupKey else { throw Refused() }
            let backup = try Backup(decrypting: try session.backup(cvc: card.cvc), key: key)
            try session.proveBackup(backup, cvc: card.cvc)
            return "\(backup.masterKey.text) \(backup.path)"
        },
        MatrixStep(
            name: "changeCVC", products: CardProduct.signers, scenes: [.ready], changesCVC: true
        ) { session, card in
            try session.changeCVC(from: card.cvc, to: card.newCVC)
            return "changed"
        },
        MatrixStep(
            name: "read with a wrong CVC", products: CardProduct.signers, scenes: [.ready], isRefused: true
        ) { session, card in
            do { return try session.read(cvc: card.newCVC).description } catch TapError.wrongCVC(let tries) {
                return "wrong CVC, \(tries)"
            }
        },
    ]

    /// The extended keys of the master key and of the path.
    @Sendable private static func learnAll(_ session: TapSession, _ card: MatrixCard) throws {
        try session.proveChainCode(card.chainCode, cvc: card.cvc)
        _ = try session.extendedPublicKey(master: false, cvc: card.cvc)
    }
}
