import ByteCodec

extension Label {
    /// The longest reference: keys and addresses of all kinds are far shorter.
    private static let longestReference = 1_000

    /// Reads a line.
    /// - Returns: `nil` for a label of a type that is not known, which is to be ignored.
    /// - Throws: `LabelFault`.
    ///
    /// Spec: BIP-329, "Specification". A `spendable` written as a text is taken, as wallets wrote it once.
    public init?(line: ArraySlice<UInt8>) throws(LabelFault) {
        guard line.count <= LabelFile.maximumLineLength else { throw .tooLong }
        var fields = try LabelFields(line)
        guard let type = try fields.takeText("type") else { throw .missing("type") }
        guard let reference = try fields.takeText("ref") else { throw .missing("ref") }
        guard let kind = Kind(rawValue: type) else { return nil }
        guard Self.isReference(reference, of: kind) else { throw .reference }
        let text = try fields.takeText("label") ?? ""
        let origin = try fields.takeText("origin")
        let isSpendable = kind == .output ? try fields.takeTruth("spendable") : nil
        self.init(
            kind, reference, text: text, origin: origin, isSpendable: isSpendable, otherFields: fields.rest)
    }

    /// The line, without its end: JSON with `type`, `ref` and whatever else is said.
    public var line: String {
        var members = ["\"type\":\"\(kind.rawValue)\"", "\"ref\":" + JSONScanner.quoted(reference)]
        if !text.isEmpty { members.append("\"label\":" + JSONScanner.quoted(text)) }
        if let origin { members.append("\"origin\":" + JSONScanner.quoted(origin)) }
        if let isSpendable { members.append("\"spendable\":\(isSpendable)") }
        members += otherFields.map { JSONScanner.quoted($0.name) + ":" + $0.json }
        return "{" + members.joined(separator: ",") + "}"
    }

    private static func isReference(_ text: String, of kind: Kind) -> Bool {
        guard !text.isEmpty, text.utf8.count <= longestReference else { return false }
        switch kind {
        case .transaction: return TransactionID(parsing: text) != nil
        case .input, .output:
            let parts = text.split(separator: ":", omittingEmptySubsequences: false)
            guard parts.count == 2, TransactionID(parsing: parts[0]) != nil, !parts[1].hasPrefix("+") else {
                return false
            }
            return UInt32(parts[1]) != nil
        case .publicKey: return (try? Hex.decode(text)).map { [32, 33, 65].contains($0.count) } ?? false
        case .address, .extendedKey, .silentPaymentScan: return true
        }
    }
}

/// The fields of a line that have not been taken yet.
private struct LabelFields {
    private var members: [JSONScanner.Member]

    init(_ line: ArraySlice<UInt8>) throws(LabelFault) {
        do throws(JSONScanner.Fault) {
            var scanner = JSONScanner(line)
            members = try scanner.object()
        } catch {
            // An array or a text is JSON, too.
            var inArray = JSONScanner([UInt8(ascii: "{"), 0x22, 0x22, UInt8(ascii: ":")] + line + [UInt8(ascii: "}")])
            throw (try? inArray.object()) != nil ? .notObject : .notJSON(offset: error.offset)
        }
        // By their bytes: to compare texts whose letters have many accents takes the square of the time.
        var names: Set<[UInt8]> = []
        for member in members {
            guard names.insert(Array(member.key.utf8)).inserted else { throw .repeated(member.key) }
        }
    }

    private mutating func take(_ name: String) -> ArraySlice<UInt8>? {
        guard let place = members.firstIndex(where: { $0.key.utf8.elementsEqual(name.utf8) }) else { return nil }
        let value = members.remove(at: place).value
        return value.elementsEqual("null".utf8) ? nil : value
    }

    /// A field's text; `nil` when it is missing or null.
    mutating func takeText(_ name: String) throws(LabelFault) -> String? {
        guard let value = take(name) else { return nil }
        var scanner = JSONScanner(value)
        do throws(JSONScanner.Fault) { return try scanner.onlyString() } catch { throw .notText(name) }
    }

    mutating func takeTruth(_ name: String) throws(LabelFault) -> Bool? {
        guard let value = take(name) else { return nil }
        switch String(decoding: value, as: UTF8.self) {
        case "true", "\"true\"": return true
        case "false", "\"false\"": return false
        default: throw .spendable
        }
    }

    /// What remains, as it stands.
    var rest: [Label.Field] {
        members.map { Label.Field(name: $0.key, json: String(decoding: $0.value, as: UTF8.self)) }
    }
}
