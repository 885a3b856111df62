extension Script {
    /// Pay to public key hash.
    /// - Parameter keyHash: HASH160 of the key's encoding; `nil` is returned unless it has 20 bytes.
    public static func p2pkh(keyHash: [UInt8]) -> Script? { framed(keyHash, by: ScriptTemplate.p2pkhFrame) }

    /// Pay to script hash.
    /// - Parameter scriptHash: HASH160 of the redeem script; `nil` is returned unless it has 20 bytes.
    ///
    /// Spec: BIP-16.
    public static func p2sh(scriptHash: [UInt8]) -> Script? { framed(scriptHash, by: ScriptTemplate.p2shFrame) }

    /// Pay to witness public key hash.
    /// - Parameter keyHash: HASH160 of the compressed key; `nil` is returned unless it has 20 bytes.
    ///
    /// Spec: BIP-141.
    public static func p2wpkh(keyHash: [UInt8]) -> Script? {
        keyHash.count == 20 ? witness(version: 0, program: keyHash) : nil
    }

    /// Pay to witness script hash.
    /// - Parameter scriptHash: SHA-256 of the witness script; `nil` is returned unless it has 32 bytes.
    ///
    /// Spec: BIP-141.
    public static func p2wsh(scriptHash: [UInt8]) -> Script? {
        scriptHash.count == 32 ? witness(version: 0, program: scriptHash) : nil
    }

    /// A witness program; `nil` unless the version is 0…16 and the program has 2…40 bytes (20 or 32 in version 0).
    ///
    /// Spec: BIP-141, "Witness program".
    public static func witness(version: UInt8, program: [UInt8]) -> Script? {
        guard let opcode = Opcode.number(Int(version)), (2...40).contains(program.count),
            version > 0 || program.count == 20 || program.count == 32
        else { return nil }
        return Script([opcode.rawValue, UInt8(program.count)] + program)
    }

    /// Pay to public key: `<key> OP_CHECKSIG`.
    public static func p2pk(_ key: PublicKey) -> Script {
        Script([UInt8(PublicKey.length)] + key.bytes + [Opcode.checkSignature.rawValue])
    }

    /// Pay to the hash of a compressed key.
    public static func p2pkh(_ key: PublicKey) -> Script {
        let frame = ScriptTemplate.p2pkhFrame
        return Script(frame.front + key.hash160 + frame.back)
    }

    /// Pay to the hash of a redeem script.
    ///
    /// Spec: BIP-16.
    public static func p2sh(_ redeemScript: Script) -> Script {
        let frame = ScriptTemplate.p2shFrame
        return Script(frame.front + Hash160.hash(redeemScript.bytes) + frame.back)
    }

    /// Pay to the hash of a compressed key, by witness.
    ///
    /// Spec: BIP-141.
    public static func p2wpkh(_ key: PublicKey) -> Script { Script([0, 20] + key.hash160) }

    /// Pay to the hash of a witness script.
    ///
    /// Spec: BIP-141.
    public static func p2wsh(_ witnessScript: Script) -> Script {
        Script([0, 32] + SHA256.hash(witnessScript.bytes))
    }

    /// Pay to a taproot output key.
    ///
    /// Spec: BIP-341.
    public static func p2tr(_ key: TaprootOutputKey) -> Script { Script([Opcode.one.rawValue, 32] + key.bytes) }

    /// An output that carries `data` and can never be spent: `OP_RETURN <data>`.
    public static func nullData(_ data: [UInt8]) -> Script {
        var bytes: [UInt8] = []
        bytes.append(Opcode.return)
        bytes.appendPush(of: data)
        return Script(bytes)
    }

    private static func framed(_ hash: [UInt8], by frame: ScriptTemplate.Frame) -> Script? {
        hash.count == 20 ? Script(frame.front + hash + frame.back) : nil
    }
}
