import ByteCodec

/// A bare multisig script, `m <key>… n OP_CHECKMULTISIG`: alone, as a redeem script or as a witness script.
///
/// Spec: BIP-11; BIP-67 for the order of keys.
public struct MultisigScript: Hashable, Sendable {
    /// Why threshold and keys do not make a multisig script.
    public enum Failure: Error, Equatable, Sendable {
        /// Not 1…20 keys.
        case keyCount(Int)
        /// The threshold is not between 1 and the number of keys.
        case threshold(Int)
        /// The key at this index has neither 33 bytes starting with 02 or 03, nor 65 starting with 04, 06 or 07.
        case keyEncoding(index: Int)
    }

    /// The most keys that consensus lets `OP_CHECKMULTISIG` check.
    public static let maximumKeyCount = 20

    /// m: how many signatures are needed.
    public let threshold: Int
    /// The n keys as in the script, 33 or 65 bytes each; whether they are points on the curve is not known.
    public let keys: [[UInt8]]

    /// A script for `threshold` of `keys`, in the order given.
    public init(threshold: Int, keys: [[UInt8]]) throws(Failure) {
        guard (1...Self.maximumKeyCount).contains(keys.count) else { throw .keyCount(keys.count) }
        guard (1...keys.count).contains(threshold) else { throw .threshold(threshold) }
        if let index = keys.firstIndex(where: { !Script.hasPublicKeyShape($0) }) { throw .keyEncoding(index: index) }
        self.threshold = threshold
        self.keys = keys
    }

    /// A script for `threshold` of `keys`, sorted by their compressed encodings.
    ///
    /// Spec: BIP-67.
    public init(threshold: Int, sorting keys: [PublicKey]) throws(Failure) {
        try self.init(threshold: threshold, keys: Self.sorted(keys).map(\.bytes))
    }

    /// Reads a script; `nil` unless it is a multisig script with minimal pushes and nothing else.
    public init?(_ script: Script) {
        guard script.bytes.last == Opcode.checkMultisig.rawValue else { return nil }
        var iterator = ScriptElementIterator(script)
        guard let threshold = iterator.next()?.multisigNumber else { return nil }
        var keys: [[UInt8]] = []
        while let element = iterator.next() {
            if let count = element.multisigNumber {
                guard count == keys.count, iterator.next()?.opcode == .checkMultisig,
                    iterator.offset == script.bytes.count,
                    let multisig = try? Self(threshold: threshold, keys: keys)
                else { return nil }
                self = multisig
                return
            }
            guard element.isMinimal, let key = element.data, keys.count < Self.maximumKeyCount else { return nil }
            keys.append(Array(key))
        }
        return nil
    }

    /// Whether every key is compressed and they are in BIP-67's order.
    public var isSorted: Bool {
        keys.allSatisfy { $0.count == PublicKey.length }
            && zip(keys, keys.dropFirst()).allSatisfy { !$1.lexicographicallyPrecedes($0) }
    }

    /// Threshold and keys as written: OP_m, the keys, OP_n, OP_CHECKMULTISIG.
    public var script: Script {
        var bytes: [UInt8] = []
        bytes.appendPush(of: [UInt8(threshold)])
        for key in keys { bytes.appendPush(of: key) }
        bytes.appendPush(of: [UInt8(keys.count)])
        bytes.append(Opcode.checkMultisig)
        return Script(bytes)
    }

    /// Keys in the order of their compressed encodings.
    ///
    /// Spec: BIP-67.
    public static func sorted(_ keys: [PublicKey]) -> [PublicKey] {
        keys.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
    }
}

extension ScriptElement {
    /// The number 1…20 that is pushed in its shortest form; `nil` for anything else.
    fileprivate var multisigNumber: Int? {
        if let number = opcode.number { return number == 0 ? nil : number }
        guard let data, data.count == 1, let byte = data.first, (17...20).contains(byte), isMinimal else { return nil }
        return Int(byte)
    }
}
