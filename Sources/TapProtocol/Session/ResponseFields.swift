import Bitcoin
import ByteCodec

/// The fields of one response, parsed strictly: a requested field must be present with the right type, length and range.
/// Other keys are ignored. Fields that may be missing or deviate from the protocol are parsed in `ResponseFields+Forms`;
/// the documentation page "Proofs and forms" lists which is which.
///
/// Spec: protocol, "Wire".
struct ResponseFields {
    /// The command that the response answers; named in errors.
    let command: String
    /// Receives deviating forms that were accepted, if set.
    let trace: (@Sendable (TraceEvent) -> Void)?
    private let map: CBORMap

    /// Decodes a response: exactly one CBOR map.
    init(
        command: String, encoded: [UInt8], trace: (@Sendable (TraceEvent) -> Void)? = nil
    ) throws(TapError) {
        self.command = command
        self.trace = trace
        do {
            guard case .map(let map) = try CBORDecoder.decode(encoded) else {
                throw TapError.badResponse(command: command, field: "", problem: "is not a CBOR map")
            }
            self.map = map
        } catch let error as CBORDecoder.DecodingError {
            throw .badResponse(command: command, field: "", problem: error.problem)
        } catch {
            throw .badResponse(command: command, field: "", problem: "is not a CBOR map")
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

    /// A list with a count in a range; each item is a byte string of an exact length.
    func byteStrings(_ key: String, count: ClosedRange<Int>, length: Int) throws(TapError) -> [[UInt8]] {
        var strings: [[UInt8]] = []
        for item in try list(key, count: count) {
            strings.append(
                try Self.bytes(item, count: length...length) { problem in bad(key, "has an item that \(problem)") })
        }
        return strings
    }

    /// An unsigned integer.
    func unsigned(_ key: String) throws(TapError) -> UInt64 {
        guard case .unsigned(let number) = try required(key) else { throw bad(key, "is not an unsigned integer") }
        return number
    }

    /// A signed integer, clamped to the nearest that fits.
    func integer(_ key: String) throws(TapError) -> Int {
        switch try required(key) {
        case .unsigned(let number): return Int(clamping: number)
        case .negative(let offset): return -1 - Int(clamping: offset)
        default: throw bad(key, "is not an integer")
        }
    }

    /// A list of integers, each in a range.
    func integers(
        _ key: String, count: ClosedRange<Int>, in range: ClosedRange<Int>
    ) throws(TapError) -> [Int] {
        var numbers: [Int] = []
        for item in try list(key, count: count) {
            guard case .unsigned(let number) = item, let value = Int(exactly: number), range.contains(value) else {
                throw bad(key, "has an item that is not an integer in \(range.lowerBound)–\(range.upperBound)")
            }
            numbers.append(value)
        }
        return numbers
    }

    /// A text of at most this many UTF-8 bytes.
    func text(_ key: String, maximumLength: Int) throws(TapError) -> String {
        guard case .text(let text) = try required(key) else { throw bad(key, "is not a text") }
        guard text.utf8.count <= maximumLength else { throw bad(key, "has more than \(maximumLength) bytes") }
        return text
    }

    /// A boolean.
    func flag(_ key: String) throws(TapError) -> Bool {
        guard case .bool(let flag) = try required(key) else { throw bad(key, "is not a boolean") }
        return flag
    }

    /// A boolean that defaults to false.
    func optionalFlag(_ key: String) throws(TapError) -> Bool { has(key) ? try flag(key) : false }

    /// A compressed public key, 33 bytes, on the curve.
    func publicKey(_ key: String) throws(TapError) -> PublicKey {
        let encoded = try bytes(key, count: PublicKey.length)
        do { return try PublicKey(encoded) } catch { throw bad(key, "is not a public key") }
    }

    /// `chain_code`, 32 bytes.
    func chainCode() throws(TapError) -> ChainCode {
        let bytes = try bytes("chain_code", count: ChainCode.length)
        guard let chainCode = ChainCode(bytes) else { throw bad("chain_code", "is not a chain code") }
        return chainCode
    }

    /// A compact signature, 64 bytes, R and S in range. A high S is accepted and replaced by its low twin, which
    /// verification needs.
    func signature(_ key: String) throws(TapError) -> ECDSASignature {
        guard let signature = ECDSASignature(compact: try bytes(key, count: ECDSASignature.length)) else {
            throw bad(key, "is not a signature")
        }
        if !signature.hasLowS { note("S of `\(key)` is high and was made low") }
        return signature.withLowS
    }

    /// The error for a field of this response.
    func bad(_ key: String, _ problem: String) -> TapError {
        .badResponse(command: command, field: key, problem: problem)
    }

    private func required(_ key: String) throws(TapError) -> CBORValue {
        guard let value = map[key] else { throw bad(key, "is missing") }
        return value
    }

    private func list(_ key: String, count: ClosedRange<Int>) throws(TapError) -> [CBORValue] {
        guard case .array(let items) = try required(key) else { throw bad(key, "is not a list") }
        guard count.contains(items.count) else { throw bad(key, "has \(items.count) items") }
        return items
    }

    private static func bytes(
        _ value: CBORValue, count: ClosedRange<Int>, orThrow error: (String) -> TapError
    ) throws(TapError) -> [UInt8] {
        guard case .bytes(let bytes) = value else { throw error("is not a byte string") }
        guard count.contains(bytes.count) else { throw error("has \(bytes.count) bytes") }
        return bytes
    }
}

extension CBORDecoder.DecodingError {
    fileprivate var problem: String {
        switch self {
        case .truncated: "is truncated"
        case .malformed, .notUTF8: "is malformed CBOR"
        case .duplicateKey: "has a duplicate field"
        case .tooDeep: "is nested more than \(CBORDecoder.maximumDepth) levels deep"
        case .trailingBytes(let count): "has \(count) bytes too many"
        }
    }
}
