import ByteCodec

extension Label {
    /// The longest reference: all keys and addresses are far shorter.
    private static let longestReference = 1_000

    /// Reads a line.
    /// - Returns: `nil` for a label of an unknown type, which should be ignored.
    /// - Throws: `LabelFault`.
    ///
    /// Spec: BIP-329, "Specification". A `spendable` given as text is accepted, because wallets used to write it that way.
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

    /// The line, without its end: JSON with `type`, `ref` and any other fields.
    public var line: String {
        var members: [JSONText.Member] = [("type", .string(kind.rawValue)), ("ref", .string(reference))]
        if !text.isEmpty { members.append(("label", .string(text))) }
        if let origin { members.append(("origin", .string(origin))) }
        if let isSpendable { members.append(("spendable", .bool(isSpendable))) }
        members += otherFields.map { ($0.name, .verbatim($0.json)) }
        return JSONText.object(members).line
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

/// The fields of a line that have not been read yet.
private struct LabelFields {
    /// A line is short, so only depth needs its own limit.
    private static let bounds = JSONBounds(
        length: LabelFile.maximumLineLength, depth: LabelFile.maximumDepth,
        keyLength: LabelFile.maximumLineLength, valueCount: LabelFile.maximumLineLength)

    private var members: [JSONMember]

    init(_ line: ArraySlice<UInt8>) throws(LabelFault) {
        let bytes = Array(line)
        do throws(JSONFault) {
            // The contents of preserved fields are not checked.
            members = try JSONReader.members(bytes, within: Self.bounds, repeatedKeys: .firstCounts)
        } catch {
            switch error.reason {
            case .depth: throw .tooDeep
            case .endlessLetter: throw .endlessLetter
            case .noObject where Self.isJSON(bytes): throw .notObject
            default: throw .notJSON(offset: error.offset)
            }
        }
        // Compared as bytes: two spellings of the same letter are two names.
        var names: Set<[UInt8]> = []
        for member in members {
            guard names.insert(Array(member.key.utf8)).inserted else { throw .repeated(member.key) }
        }
    }

    private static func isJSON(_ bytes: [UInt8]) -> Bool {
        (try? JSONReader.value(bytes, within: bounds, repeatedKeys: .firstCounts)) != nil
    }

    private mutating func take(_ name: String) -> JSONMember? {
        guard let place = members.firstIndex(where: { $0.key.utf8.elementsEqual(name.utf8) }) else { return nil }
        let member = members.remove(at: place)
        return member.value.isNull ? nil : member
    }

    /// A field's text; `nil` when it is missing or null.
    mutating func takeText(_ name: String) throws(LabelFault) -> String? {
        guard let member = take(name) else { return nil }
        guard let text = member.value.string else { throw .notText(name) }
        return text
    }

    mutating func takeTruth(_ name: String) throws(LabelFault) -> Bool? {
        guard let member = take(name) else { return nil }
        switch String(decoding: member.text, as: UTF8.self) {
        case "true", "\"true\"": return true
        case "false", "\"false\"": return false
        default: throw .spendable
        }
    }

    /// The remaining fields, unchanged.
    var rest: [Label.Field] {
        members.map { Label.Field(name: $0.key, json: String(decoding: $0.text, as: UTF8.self)) }
    }
}
