/// Checks signatures of one input; each digest is computed once.
struct SignatureChecker {
    private let spending: PSBT.Spending
    private let cache: SighashCache
    /// The sighash type that the input demands.
    private let demandedType: SighashType?
    private var digests: [SighashType: Digest] = [:]

    init(_ spending: PSBT.Spending, demanding type: SighashType?, using cache: SighashCache) {
        self.spending = spending
        self.cache = cache
        demandedType = type
    }

    /// Whether a signature, DER followed by the sighash type, verifies for a key. A high S never does, nor does an
    /// uncompressed key in a witness (BIP-143, "Restrictions on public key type"), nor a key that the script does not have:
    /// a stranger's signature would count as one of those that are needed.
    /// - Throws: `PSBTError.input` when the sighash type is not the demanded one, or there is no digest for it.
    mutating func verifies(_ signature: [UInt8], publicKey: [UInt8]) throws(PSBTError) -> Bool {
        guard spending.script.signatureRules == .legacy || publicKey.count == PublicKey.length else { return false }
        guard !spending.script.excludes(publicKey: publicKey) else { return false }
        guard let byte = signature.last, let parsed = ECDSASignature(der: signature.dropLast()) else { return false }
        let type = SighashType(rawValue: UInt32(byte))
        try checkType(type)
        return PublicKey.isValid(parsed, for: try digest(type), publicKey: publicKey)
    }

    /// Confirms that a signature's type is the one that the input demands, if it demands one.
    func checkType(_ type: SighashType) throws(PSBTError) {
        if let demandedType, type != demandedType {
            throw .input(spending.input, .otherSighashType(type, demanded: demandedType))
        }
    }

    private mutating func digest(_ type: SighashType) throws(PSBTError) -> Digest {
        if let digest = digests[type] { return digest }
        let digest = try spending.digest(type, using: cache)
        digests[type] = digest
        return digest
    }
}
