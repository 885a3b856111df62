import Bitcoin
import ByteCodec

/// `derive`: moves a TAPSIGNER to another hardened path, permanently.
///
/// Verified: the signature over our nonce and the chain code, by the master key or the derived key; both keys against
/// what is known about them. The caller compares the path in the next `status`.
///
/// Spec: protocol, "Commands" and "What must be verified, always" with its note.
struct DeriveCommand: TapCommand {
    static let name = "derive"
    static let products = CardProduct.signers
    static let usesAppNonce = true

    /// The most steps that a card can store.
    static let maximumSteps = 8

    /// The new path: 0–8 hardened steps below the master key.
    let path: DerivationPath

    struct Response {
        let signature: ECDSASignature
        /// The derived key's chain code.
        let chainCode: ChainCode
        let masterKey: PublicKey
        let publicKey: PublicKey
    }

    /// Whether a card can be moved to a path: at most eight steps, all hardened.
    static func canReach(_ path: DerivationPath) -> Bool {
        path.steps.count <= maximumSteps && path.steps.allSatisfy(\.isHardened)
    }

    /// - Throws: `TapError.invalidArgument` for more than eight steps, or one that is not hardened.
    init(path: DerivationPath) throws(TapError) {
        guard path.steps.count <= Self.maximumSteps else {
            throw Self.invalid("a path has at most \(Self.maximumSteps) steps, but \(path) has \(path.steps.count)")
        }
        guard path.steps.allSatisfy(\.isHardened) else { throw Self.invalid("\(path) has a step that is not hardened") }
        self.path = path
    }

    static func authentication(for product: CardProduct) -> Authentication { .required }

    func arguments(in exchange: Exchange) -> CBORMap {
        ["path": .array(path.steps.map { .unsigned(UInt64($0.rawValue)) })]
    }

    func response(from fields: ResponseFields, in exchange: Exchange) throws(TapError) -> Response {
        Response(
            signature: try fields.signature("sig"), chainCode: try fields.chainCode(),
            masterKey: try fields.publicKey("master_pubkey"), publicKey: try fields.publicKey("pubkey"))
    }

    func verify(_ response: Response, in exchange: Exchange) throws(TapError) {
        let digest = exchange.digest(over: response.chainCode.bytes)
        if response.masterKey.isValid(response.signature, for: digest) {
            exchange.trace?(.deriveSigned(by: .master))
        } else if response.publicKey.isValid(response.signature, for: digest) {
            exchange.trace?(.deriveSigned(by: .derived))
        } else {
            throw .badProof(.deriveSignature, detail: "neither the master key nor the derived key signed the response")
        }
        guard !path.steps.isEmpty || response.masterKey == response.publicKey else {
            throw .badProof(.deriveSignature, detail: "at m the card returned a key other than its master key")
        }
        try compare(response.masterKey, at: DerivationPath(), with: exchange.knownKeys)
        try compare(response.publicKey, at: path, with: exchange.knownKeys)
        if let known = exchange.knownKeys.extendedKey(at: path), known.chainCode != response.chainCode {
            throw .badProof(.extendedKey, detail: "the chain code at \(path) is not the one the card gave before")
        }
    }

    private func compare(_ key: PublicKey, at path: DerivationPath, with known: KnownKeys) throws(TapError) {
        if let earlier = known.publicKey(at: path), earlier != key {
            throw .badProof(.extendedKey, detail: "the key at \(path) is not the one the card gave before")
        }
    }
}
