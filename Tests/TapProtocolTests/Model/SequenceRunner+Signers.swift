import Bitcoin
import TapSimulator

@testable import TapProtocol

/// The calls of the client for signers, and what their results must be.
extension SequenceRunner {
    func performForSigner(_ call: ClientCall, _ session: TapSession, _ cvc: CVC) throws {
        let master = DerivationPath()
        switch call {
        case .createKey(let chainCode, _):
            try session.createKey(chainCode: chainCode.chainCode, cvc: cvc)
            try check(session.status)
        case .proveMaster(let isRight, _):
            let claimed = try session.setPath(master, cvc: cvc)
            try agree(claimed.masterKey == claimed.key.publicKey, "the master key at m is another one")
            try place.keys.learn(claimed.key, at: master)
            let supplied = isRight ? place.card.chainCodes[0] : ChainCode(repeating: 0xEE)
            guard claimed.key.chainCode == supplied else { throw TapError.badProof(.chainCode, detail: "not ours") }
            try session.probe(claimed.key, cvc: cvc)
            try check(session.status)
        case .probe(let claim, _): try session.probe(try account(claim), cvc: cvc)
        case .test: try session.test(cvc)
        case .setPath(let steps, _):
            let path = DerivationPath(steps.map(ChildNumber.init(rawValue:)))
            let account = try session.setPath(path, cvc: cvc)
            try place.keys.learn(account.masterKey, at: master)
            try place.keys.learn(account.key, at: path)
            try check(session.status)
        case .account(let steps, _):
            let path = DerivationPath(steps.map(ChildNumber.init(rawValue:)))
            let account = try session.account(at: path, cvc: cvc)
            try place.keys.learn(account.masterKey, at: master)
            try place.keys.learn(account.key, at: path)
            try agree(session.status.path == path && account.path == path, "the client sees another path")
        case .extendedKey(let isMaster, _):
            let key = try session.extendedPublicKey(master: isMaster, cvc: cvc)
            try place.keys.learn(key, at: isMaster ? master : afterwards.derivationPath ?? master)
            if isMaster {
                try agree(
                    key.chainCode == afterwards.chainCodes[0], "the master key's chain code is not the supplied one")
            }
        case .backup:
            try checkBackup(try session.backup(cvc: cvc))
            try check(session.status)
        case .changeCVC(_, let new): try session.changeCVC(from: cvc, to: CVC(new))
        case .sign(let digest, let subpath, _):
            let below = DerivationPath(subpath.map(ChildNumber.init(rawValue:)))
            let signed = try session.sign(digest: digest, subpath: below, cvc: cvc)
            let path = (afterwards.derivationPath ?? master).steps + below.steps
            try place.keys.learn(signed.publicKey, at: DerivationPath(path))
            try agree(signed.publicKey.isValid(signed.signature, for: digest), "the signature is wrong")
            try agree(signed.signature.hasLowR && signed.signature.hasLowS, "the signature is not low")
        default: throw Disagreement("`\(call)` is no call for a signer")
        }
    }

    private func checkBackup(_ encrypted: EncryptedBackup) throws {
        guard let key = place.backupKey else { throw Disagreement("a backup of a card that makes none") }
        let backup = try Backup(decrypting: encrypted, key: key)
        try agree(backup.path == afterwards.derivationPath, "the backup has the path \(backup.path)")
        try place.keys.learn(backup.masterKey.neutered, at: DerivationPath())
    }

    /// The extended key at the path that the card stands at, or what somebody claims in its stead.
    private func account(_ claim: ClientCall.Claim) throws -> ExtendedPublicKey {
        let path = place.card.derivationPath ?? DerivationPath()
        let right: ExtendedPublicKey
        if let known = place.keys.accounts[path] {
            right = known
        } else if let held = try place.simulated.record.masterKey {
            right = try ExtendedPrivateKey(parsing: held).descendant(path).neutered
        } else {
            return try extendedKey(place.root, chainCode: UInt8(0).chainCode)
        }
        switch claim {
        case .right: return right
        case .anotherKey: return try extendedKey(place.root, chainCode: right.chainCode)
        case .anotherChainCode: return try extendedKey(right.publicKey, chainCode: UInt8(0xEE).chainCode)
        }
    }

    private func extendedKey(_ key: PublicKey, chainCode: ChainCode) throws -> ExtendedPublicKey {
        let key = ExtendedPublicKey(network: .main, chainCode: chainCode, publicKey: key)
        return key
    }
}
