import Bitcoin
import ByteCodec

@testable import TapProtocol

/// The steps on a SATSCARD.
extension MatrixStep {
    private static let sealed: Set<Scene> = [.firstSealed, .someOpened, .lastSealed]

    static let satscard: [MatrixStep] = [
        MatrixStep(name: "read", products: [.satscard], scenes: sealed) { session, _ in
            try session.read().description
        },
        MatrixStep(name: "proveSlotOrigin", products: [.satscard], scenes: [.firstSealed, .lastSealed]) { session, _ in
            text(try session.proveSlotOrigin())
        },
        MatrixStep(
            name: "proveSlotOrigin after read", products: [.satscard], scenes: [.someOpened],
            prepare: { session, _ in _ = try session.read() }
        ) { session, _ in text(try session.proveSlotOrigin()) },
        MatrixStep(name: "unseal", products: [.satscard], scenes: sealed) { session, card in
            text(try session.unseal(cvc: card.cvc))
        },
        MatrixStep(
            name: "unseal after its proofs", products: [.satscard], scenes: [.firstSealed],
            prepare: { session, card in
                _ = try session.read()
                try session.proveSlotOrigin()
            }
        ) { session, card in text(try session.unseal(cvc: card.cvc)) },
        MatrixStep(name: "createSlotKey", products: [.satscard], scenes: [.unused]) { session, card in
            try session.createSlotKey(chainCode: card.chainCode, cvc: card.cvc)
            return text(try session.proveSlotOrigin(chainCode: card.chainCode))
        },
        MatrixStep(name: "dump of an unused slot", products: [.satscard], scenes: [.unused]) { session, _ in
            text(try session.dump(SlotNumber(index: 2)))
        },
        MatrixStep(name: "dump of the sealed slot", products: [.satscard], scenes: [.firstSealed]) { session, card in
            text(try session.dump(SlotNumber(index: 0))) + text(try session.dump(SlotNumber(index: 0), cvc: card.cvc))
        },
        MatrixStep(
            name: "dump of an opened slot without CVC", products: [.satscard], scenes: [.someOpened, .full]
        ) { session, _ in text(try session.dump(SlotNumber(index: 1))) },
        MatrixStep(
            name: "dump of an opened slot with CVC", products: [.satscard], scenes: [.someOpened, .full, .tampered]
        ) { session, card in
            text(try session.dump(SlotNumber(index: session.status.activeSlot == nil ? 9 : 0), cvc: card.cvc))
        },
        MatrixStep(
            name: "sign with an opened slot", products: [.satscard], scenes: [.someOpened, .full],
            prepare: { session, card in _ = try session.dump(SlotNumber(index: 2), cvc: card.cvc) }
        ) { session, card in try sign(session, card) },
        MatrixStep(
            name: "sign, the first number unlucky", products: [.satscard], scenes: [.someOpened], isUnlucky: true,
            prepare: { session, card in _ = try session.dump(SlotNumber(index: 2), cvc: card.cvc) }
        ) { session, card in try sign(session, card) },
    ]

    private static func sign(_ session: TapSession, _ card: MatrixCard) throws -> String {
        let slot = SlotNumber(index: 2)
        guard let address = session.knownKeys.slotKey(slot).flatMap(session.status.slotAddress) else { throw Refused() }
        return text(try session.sign(digest: card.digest, slot: slot, address: address, cvc: card.cvc), card.digest)
    }

    private static func text(_ origin: SlotOrigin) -> String { "\(origin.masterKey) \(origin.chainCode)" }

    /// A card has many signatures for one digest; whichever it is, it must be right.
    static func text(_ signed: CardSignature, _ digest: Digest) -> String {
        let isRight =
            signed.publicKey.isValid(signed.signature, for: digest) && signed.signature.hasLowS
        return "\(signed.publicKey) \(isRight)"
    }

    private static func text(_ opened: OpenedSlot) -> String {
        let secrets = [opened.privateKey, opened.masterKey].map { $0.secret.withBytes { Hex.encode($0) } }
        return "\(opened.slot) \(secrets) \(opened.publicKey) \(opened.address) \(opened.chainCode) \(opened.network) "
            + "\(opened.isTampered)"
    }

    private static func text(_ content: SlotContent) -> String {
        switch content {
        case .unused: "unused"
        case .sealed: "sealed"
        case .unsealed(let address, let key): "unsealed \(address) \(key?.description ?? "no key")"
        case .opened(let opened): text(opened)
        }
    }
}
