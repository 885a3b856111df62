/// Encoding rules that ECDSA signatures and keys must pass before they are verified.
///
/// Spec: BIP-66; Bitcoin Core, `CheckSignatureEncoding` and `CheckPubKeyEncoding`.
enum SignatureEncoding {
    /// Checks a signature followed by its sighash type. An empty one passes: it means no signature.
    static func check(_ signature: [UInt8], rules: ScriptRules) throws(ScriptFailure) {
        guard let type = signature.last.map({ SighashType(rawValue: UInt32($0)) }) else { return }
        guard isDER(signature.dropLast()) else { throw .signatureNotDER }
        if rules.contains(.lowS), let parsed = ECDSASignature(der: signature.dropLast()) {
            guard parsed.hasLowS else { throw .signatureHighS }
        }
        if rules.contains(.strictEncoding) { guard type.isStandard else { throw .sighashType } }
        if rules.contains(.sighashAll) { guard type == .all else { throw .sighashType } }
    }

    /// Checks a key.
    static func check(publicKey: [UInt8], version: SignatureVersion, rules: ScriptRules) throws(ScriptFailure) {
        let isCompressed = publicKey.count == 33 && (publicKey.first == 2 || publicKey.first == 3)
        if rules.contains(.strictEncoding) {
            guard isCompressed || (publicKey.count == 65 && publicKey.first == 4) else { throw .publicKeyType }
        }
        if rules.contains(.compressedWitnessKeys), version == .witnessV0 {
            guard isCompressed else { throw .publicKeyType }
        }
    }

    /// Whether bytes are a sequence of two positive integers in the shortest form, and nothing else. The integers may exceed
    /// the group order.
    static func isDER(_ bytes: ArraySlice<UInt8>) -> Bool {
        let bytes = Array(bytes)
        guard (8...72).contains(bytes.count), bytes[0] == 0x30, Int(bytes[1]) == bytes.count - 2,
            let next = integerEnd(in: bytes, at: 2), let end = integerEnd(in: bytes, at: next)
        else { return false }
        return end == bytes.count
    }

    /// Where an integer at `start` ends; `nil` when it is not an integer, negative, or longer than needed.
    private static func integerEnd(in bytes: [UInt8], at start: Int) -> Int? {
        guard start + 2 < bytes.count, bytes[start] == 0x02 else { return nil }
        let length = Int(bytes[start + 1])
        let (first, end) = (start + 2, start + 2 + length)
        guard length > 0, end <= bytes.count, bytes[first] & 0x80 == 0 else { return nil }
        if length > 1, bytes[first] == 0 { guard bytes[first + 1] & 0x80 != 0 else { return nil } }
        return end
    }
}
