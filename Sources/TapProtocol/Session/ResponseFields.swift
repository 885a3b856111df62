import Bitcoin
import ByteCodec

/// The fields of one answer, read strictly: what is asked for must be there with the right type, length and range.
/// Keys that nobody asks for are ignored. What may be missing or otherwise than the protocol has it is read in
/// `ResponseFields+Forms`; the documentation's page "Proofs and forms" lists which is which.
///
/// Spec: protocol, "Wire".
struct ResponseFields {
    /// The command that is being answered; named in errors.
    let command: String
    /// Who is told of forms that were taken, if anybody.
    let trace: (@Sendable (TraceEvent) -> Void)?
    private let map: CBORMap

    /// Decodes an answer: exactly one CBOR map.
    init(
        command: String, encoded: [UInt8], trace: (@Sendable (TraceEvent) -> Void)? = nil
    ) throws(TapError) {
        self.command = command
        self.trace = trace
        do {
            guard case .map(let map) = try CBORDecoder.decode(encoded) else {
                throw TapError.badResponse(command: command, field: "", problem: "is no CBOR map")
            }
            self.map = map
        } catch let error as CBORDecoder.DecodingError {
            throw .badResponse(command: command, field: "", problem: error.problem)
        } catch {
            throw .badResponse(command: command, field: "", problem: "is no CBOR map")
        }
    }

    /// Whether the key is there.
    func has(_ key: String) -> Bool { map[key] != nil }

    /// A byte string of an exact length.
    func bytes(_ key: String, count: Int) throws(TapError) -> [UInt8] { try bytes(key, count: count...count) }

    /// A byte string with a length in a range.
    func bytes(_ key: String, count: ClosedRange<Int>) throws(TapError) -> [UInt8] {
        try Self.bytes(try required(key), count: count) { problem in bad(key, problem) }
    }

    /// A list with a count in a range, each item a byte string of an exact length.
    func byteStrings(_ key: String, count: ClosedRange<Int>, length: Int) throws(TapError) -> [[UInt8]] {
        var strings: [[UInt8]] = []
        for item in try list(key, count: count) {
            strings.append(
                try Self.bytes(item, count: length...length) { problem in bad(key, "holds an item that \(problem)") })
        }
        return strings
    }

    /// An unsigned integer.
    func unsigned(_ key: String) throws(TapError) -> UInt64 {
        guard case .unsigned(let number) = try required(key) else { throw bad(key, "is no unsigned integer") }
        return number
    }

    /// An integer, below zero or not; what does not fit becomes the nearest that does.
    func integer(_ key: String) throws(TapError) -> Int {
        switch try required(key) {
        case .unsigned(let number): return Int(clamping: number)
        case .negative(let offset): return -1 - Int(clamping: offset)
        default: throw bad(key, "is no integer")
        }
    }

    /// A list of integers, each in a range.
    func integers(
        _ key: String, count: ClosedRange<Int>, in range: ClosedRange<Int>
    ) throws(TapError) -> [Int] {
        var numbers: [Int] = []
        for item in try list(key, count: count) {
            guard case .unsigned(let number) = item, let value = Int(exactly: number), range.contains(value) else {
                throw bad(key, "holds an item that is no integer in \(range.lowerBound)–\(range.upperBound)")
            }
            numbers.append(value)
        }
        return numbers
    }

    /// A text of at most so many UTF-8 bytes.
    func text(_ key: String, maximumLength: Int) throws(TapError) -> String {
        guard case .text(let text) = try required(key) else { throw bad(key, "is no text") }
        guard text.utf8.count <= maximumLength else { throw bad(key, "has more than \(maximumLength) bytes") }
        return text
    }

    /// A boolean.
    func flag(_ key: String) throws(TapError) -> Bool {
        guard case .bool(let flag) = try required(key) else { throw bad(key, "is no boolean") }
        return flag
    }

    /// A boolean that is false when it is missing.
    func optionalFlag(_ key: String) throws(TapError) -> Bool { has(key) ? try flag(key) : false }

    /// A compressed public key, 33 bytes, on the curve.
    func publicKey(_ key: String) throws(TapError) -> PublicKey {
        let encoded = try bytes(key, count: PublicKey.length)
        do { return try PublicKey(encoded) } catch { throw bad(key, "is no public key") }
    }

    /// `chain_code`, 32 bytes.
    func chainCode() throws(TapError) -> ChainCode {
        let bytes = try bytes("chain_code", count: ChainCode.length)
        guard let chainCode = ChainCode(bytes) else { throw bad("chain_code", "is no chain code") }
        return chainCode
    }

    /// A compact signature, 64 bytes, R and S in range. A high S is a form: it is replaced by its low twin, as verifying
    /// needs it.
    func signature(_ key: String) throws(TapError) -> ECDSASignature {
        guard let signature = ECDSASignature(compact: try bytes(key, count: ECDSASignature.length)) else {
            throw bad(key, "is no signature")
        }
        if !signature.hasLowS { note("S of `\(key)` is high, and was made low") }
        return signature.withLowS
    }

    /// The error for a field of this answer.
    func bad(_ key: String, _ problem: String) -> TapError {
        .badResponse(command: command, field: key, problem: problem)
    }

    private func required(_ key: String) throws(TapError) -> CBORValue {
        guard let value = map[key] else { throw bad(key, "is missing") }
        return value
    }

    private func list(_ key: String, count: ClosedRange<Int>) throws(TapError) -> [CBORValue] {
        guard case .array(let items) = try required(key) else { throw bad(key, "is no list") }
        guard count.contains(items.count) else { throw bad(key, "has \(items.count) items") }
        return items
    }

    private static func bytes(
        _ value: CBORValue, count: ClosedRange<Int>, orThrow error: (String) -> TapError
    ) throws(TapError) -> [UInt8] {
        guard case .bytes(let bytes) = value else { throw error("is no byte string") }
        guard count.contains(bytes.count) else { throw error("has \(bytes.count) bytes") }
        return bytes
    }
}

extension CBORDecoder.DecodingError {
    fileprivate var problem: String {
        switch self {
        case .truncated: "is cut short"
        case .malformed, .notUTF8: "is malformed CBOR"
        case .duplicateKey: "has a field twice"
        case .tooDeep: "is nested too deeply"
        case .trailingBytes(let count): "has \(count) bytes too many"
        }
    }
}
