import Bitcoin
import ByteCodec
import TapSimulator
import Testing

@testable import TapProtocol

/// What a session call takes on the word of whoever answers, though it be somebody who rewrites answers on purpose; and
/// what tells the truth. No decision about money may rest on one of these alone.
///
/// After `probe` nothing of an account is left on this list but its hardened path.
struct WordOfWhoeverAnswers: Sendable, CustomTestStringConvertible {
    /// The call, and what is believed of it.
    let word: String
    /// What proves it, or that nothing does.
    let truth: String
    /// Has the word believed, then tells the truth.
    let show: @Sendable () throws -> Void

    var testDescription: String { "\(word): \(truth)" }

    static let all: [WordOfWhoeverAnswers] = ofAccounts + ofChanges + ofSatscards

    /// The keys of one who has no card.
    private static var impostor: ExtendedPrivateKey {
        get throws {
            let key = try PrivateKey(SecretBytes([UInt8](repeating: 0x66, count: 32)))
            return ExtendedPrivateKey(master: key, chainCode: ChainCode(repeating: 0x77), network: .main)
        }
    }

    private static func relayed(
        _ relay: RewritingRelay, to product: SimulatedProduct = .tapsigner
    ) throws -> ThreatBench {
        let bench = try ThreatBench(product)
        bench.reader.interceptor = relay
        return bench
    }

    private static var forgedDerive: RewritingRelay {
        RewritingRelay(onAnswer: { if $0.command == "derive" { try $0.takeAccount(of: impostor) } })
    }

    /// Never asks the card.
    private static var forgedXpub: RewritingRelay {
        RewritingRelay(
            onRequest: { $0["cmd"] != .text("xpub") },
            onAnswer: {
                guard $0.command == "xpub" else { return }
                let path = $0.request["master"] == .bool(true) ? DerivationPath() : TestCard.path
                let key = try impostor.descendant(path).neutered
                $0.map = ["xpub": .bytes(key.serialized), "card_nonce": .bytes($0.cardNonce)]
            })
    }

    private static let ofAccounts: [WordOfWhoeverAnswers] = [
        WordOfWhoeverAnswers(word: "account, setPath: key, chain code and master key", truth: "`probe`") {
            for isAccount in [true, false] {
                let bench = try relayed(forgedDerive)
                let session = try bench.session()
                let claimed =
                    isAccount
                    ? try session.account(at: bench.path, cvc: bench.cvc)
                    : try session.setPath(bench.path, cvc: bench.cvc)
                #expect(try claimed.key.publicKey == impostor.descendant(bench.path).privateKey.publicKey)
                #expect(try claimed.masterFingerprint == impostor.neutered.fingerprint)
                try expectFailure(of: .account) { try session.probe(claimed.key, cvc: bench.cvc) }
            }
        },
        WordOfWhoeverAnswers(word: "extendedPublicKey: key and chain code", truth: "`probe`") {
            let bench = try relayed(forgedXpub)
            let session = try bench.session()
            for isMaster in [true, false] {
                let claimed = try session.extendedPublicKey(master: isMaster, cvc: bench.cvc)
                #expect(try claimed.publicKey != bench.account().publicKey)
                try expectFailure(of: .account) { try session.probe(claimed, cvc: bench.cvc) }
            }
        },
        WordOfWhoeverAnswers(word: "test: that the CVC is right", truth: "`probe`, which no other card can answer") {
            let bench = try relayed(forgedXpub)
            let session = try bench.session()
            let wrong = try CVC("654321")
            try session.test(wrong)
            let account = try bench.account()
            #expect(try tapError { try session.probe(account, cvc: wrong) }.code == .wrongCVC)
        },
        WordOfWhoeverAnswers(word: "setPath: the hardened path", truth: "nothing but the opened backup") {
            let asked = TestCard.path
            let other = CBORValue.array([84, 0, 1].map { .unsigned(0x8000_0000 + $0) })
            let bench = try relayed(
                RewritingRelay(
                    onRequest: {
                        if $0["cmd"] == .text("derive") { $0["path"] = other }
                        return true
                    },
                    onAnswer: {
                        guard $0.map["path"] != nil else { return }
                        $0.map["path"] = .array(asked.steps.map { .unsigned(UInt64($0.rawValue)) })
                    }))
            let session = try bench.session()
            let account = try session.setPath(asked, cvc: bench.cvc)
            try session.probe(account.key, cvc: bench.cvc)
            let key = try Backup.Key(hex: try #require(bench.card.record.aesKey))
            let backup = try Backup(decrypting: try session.backup(cvc: bench.cvc), key: key)
            #expect(try backup.masterKey.descendant(asked).neutered.publicKey != account.key.publicKey)
        },
    ]

    private static let ofChanges: [WordOfWhoeverAnswers] = [
        WordOfWhoeverAnswers(word: "changeCVC: success", truth: "nothing; a later `probe` with the new CVC") {
            let bench = try relayed(
                RewritingRelay(
                    onRequest: { $0["cmd"] != .text("change") },
                    onAnswer: {
                        guard $0.command == "change" else { return }
                        $0.map = ["success": .bool(true), "card_nonce": .bytes($0.cardNonce)]
                    }))
            let session = try bench.session()
            let new = try CVC("654321")
            try session.changeCVC(from: bench.cvc, to: new)
            #expect(bench.card.record.cvc == "123456")
            let account = try bench.account()
            #expect(try tapError { try session.probe(account, cvc: new) }.code == .wrongCVC)
        },
        WordOfWhoeverAnswers(word: "backup: data", truth: "nothing but opening it, beside the proven master key") {
            let bench = try relayed(
                RewritingRelay(onAnswer: {
                    if $0.command == "backup" { $0.map["data"] = .bytes([UInt8](repeating: 0xDD, count: 124)) }
                }))
            let data = try bench.session().backup(cvc: bench.cvc)
            let key = try Backup.Key(hex: try #require(bench.card.record.aesKey))
            #expect(throws: TapError.badBackup(.wrongKey)) { try Backup(decrypting: data, key: key) }
        },
        WordOfWhoeverAnswers(
            word: "sign: which digest the card signs, when it is known beforehand",
            truth: "the signature that comes back does not verify: alarm, and too late"
        ) {
            let known = Digest(hashing: "tapkit".utf8)
            let wanted = Digest(hashing: "another payment".utf8)
            let signed = RelayedSignature()
            let bench = try relayed(
                RewritingRelay(
                    onRequest: {
                        guard case .bytes(let hidden)? = $0["digest"] else { return true }
                        $0["digest"] = .bytes(zip(hidden, zip(known.bytes, wanted.bytes)).map { $0 ^ $1.0 ^ $1.1 })
                        return true
                    }, onAnswer: { signed.keep($0.map) }))
            let session = try bench.session()
            let account = try session.extendedPublicKey(master: false, cvc: bench.cvc)
            let error = try tapError { try session.sign(digest: known, subpath: DerivationPath(), cvc: bench.cvc) }
            guard case .badProof(.signature, _) = error else { throw error }
            #expect(error.code == .alteredSignature)
            #expect(try signed.isValid(for: wanted, by: account.publicKey))
            // Nobody knows a probe's digest beforehand: what is altered of it is no use to anybody.
            try expectFailure(of: .account) { try session.probe(account, cvc: bench.cvc) }
        },
    ]

    private static let ofSatscards: [WordOfWhoeverAnswers] = [
        WordOfWhoeverAnswers(word: "dump without the CVC: an address of the card's", truth: "`probe` of the slot") {
            let foreign = try TestSatscard.address(of: impostor.privateKey.publicKey)
            let bench = try relayed(
                RewritingRelay(onAnswer: {
                    guard $0.command == "dump" else { return }
                    $0.map["addr"] = .text(foreign)
                    $0.map["pubkey"] = .bytes(try impostor.privateKey.publicKey.bytes)
                }), to: .satscard)
            let session = try bench.session()
            let slot = SlotNumber(index: 1)
            guard case .unsealed(let claimed, _) = try session.dump(slot) else { throw KeyError.length(0) }
            #expect(claimed.description == foreign)
            try expectFailure(of: .openedSlot) { try session.probe(slot, at: claimed, cvc: bench.cvc) }
        },
        WordOfWhoeverAnswers(
            word: "dump, probe: which of the opened slots it is", truth: "nothing; the key is the card's all the same"
        ) {
            let relay = RewritingRelay(
                onRequest: {
                    if [.text("sign"), .text("dump")].contains($0["cmd"]) { $0["slot"] = .unsigned(0) }
                    return true
                }, onAnswer: { if ["sign", "dump"].contains($0.command) { $0.map["slot"] = .unsigned(1) } })
            let bench = try relayed(relay, to: .satscard)
            let session = try bench.session()
            let slot = SlotNumber(index: 1)
            guard case .unsealed(let claimed, _) = try session.dump(slot) else { throw KeyError.length(0) }
            try session.probe(slot, at: claimed, cvc: bench.cvc)
            #expect(try session.knownKeys.slotKey(slot)?.bytes == bench.card.record.slotKey(0)?.publicKey.bytes)
        },
    ]
}
