/// What an output's script requires, as far as a wallet needs to know.
///
/// Spec: Bitcoin Core, `script/solver.cpp`.
public enum ScriptTemplate: Hashable, Sendable {
    /// Pay to public key: the key's encoding, 33 or 65 bytes; whether it is a point on the curve is not known.
    case p2pk(publicKey: [UInt8])
    /// Pay to public key hash: HASH160 of the key, 20 bytes.
    case p2pkh(keyHash: [UInt8])
    /// Pay to script hash (BIP-16): HASH160 of the redeem script, 20 bytes.
    case p2sh(scriptHash: [UInt8])
    /// Pay to witness public key hash (BIP-141): HASH160 of the compressed key, 20 bytes.
    case p2wpkh(keyHash: [UInt8])
    /// Pay to witness script hash (BIP-141): SHA-256 of the witness script, 32 bytes.
    case p2wsh(scriptHash: [UInt8])
    /// Pay to taproot (BIP-341): the x coordinate of the output key, 32 bytes.
    case p2tr(outputKey: [UInt8])
    /// A witness program that has no rules yet: version 1…16 and 2…40 bytes. Anyone can spend it today.
    case futureWitness(version: UInt8, program: [UInt8])
    /// Bare multisig (BIP-11).
    case multisig(MultisigScript)
    /// `OP_RETURN` with pushes only: the bytes after the operation, including the pushes. Cannot be spent.
    case nullData(payload: [UInt8])
    /// Anything else, including truncated scripts and version 0 witness programs of other lengths.
    case nonStandard

    /// Reads a script.
    public init(_ script: Script) {
        let bytes = script.bytes
        if let hash = script.payload(of: Self.p2pkhFrame) {
            self = .p2pkh(keyHash: hash)
        } else if let hash = script.payload(of: Self.p2shFrame) {
            self = .p2sh(scriptHash: hash)
        } else if let (version, program) = script.witnessProgram {
            self = Self.witness(version: version, program: program)
        } else if let key = script.payToPublicKey {
            self = .p2pk(publicKey: key)
        } else if bytes.first == Opcode.return.rawValue, Script(bytes.dropFirst()).isPushOnly {
            self = .nullData(payload: Array(bytes.dropFirst()))
        } else if let multisig = MultisigScript(script) {
            self = .multisig(multisig)
        } else {
            self = .nonStandard
        }
    }

    private static func witness(version: UInt8, program: [UInt8]) -> Self {
        switch (version, program.count) {
        case (0, 20): .p2wpkh(keyHash: program)
        case (0, 32): .p2wsh(scriptHash: program)
        case (0, _): .nonStandard
        case (1, 32): .p2tr(outputKey: program)
        default: .futureWitness(version: version, program: program)
        }
    }

    /// The bytes before and after the 20 bytes of a hash.
    typealias Frame = (front: [UInt8], back: [UInt8])

    static let p2pkhFrame: Frame = (
        [Opcode.duplicate.rawValue, Opcode.hash160.rawValue, 20],
        [Opcode.equalVerify.rawValue, Opcode.checkSignature.rawValue]
    )
    static let p2shFrame: Frame = ([Opcode.hash160.rawValue, 20], [Opcode.equal.rawValue])
}

extension Script {
    /// The version (0…16) and the 2…40 bytes of a witness program; `nil` for any other script.
    ///
    /// Spec: BIP-141, "Witness program".
    public var witnessProgram: (version: UInt8, program: [UInt8])? {
        guard (4...42).contains(bytes.count), let version = Opcode(rawValue: bytes[0]).number,
            Int(bytes[1]) == bytes.count - 2
        else { return nil }
        return (UInt8(version), Array(bytes[2...]))
    }

    /// Whether an encoding has the length that its first byte requires: 33 for 02 or 03, 65 for 04, 06 or 07.
    static func hasPublicKeyShape(_ encoding: some Collection<UInt8>) -> Bool {
        switch encoding.first {
        case 2, 3: encoding.count == 33
        case 4, 6, 7: encoding.count == 65
        default: false
        }
    }

    fileprivate func payload(of frame: ScriptTemplate.Frame) -> [UInt8]? {
        guard bytes.count == frame.front.count + 20 + frame.back.count, bytes.starts(with: frame.front),
            bytes.suffix(frame.back.count).elementsEqual(frame.back)
        else { return nil }
        return Array(bytes[frame.front.count...].prefix(20))
    }

    fileprivate var payToPublicKey: [UInt8]? {
        guard bytes.last == Opcode.checkSignature.rawValue, let length = bytes.first,
            Int(length) == bytes.count - 2
        else { return nil }
        let key = Array(bytes[1...].prefix(Int(length)))
        return Self.hasPublicKeyShape(key) ? key : nil
    }
}
