import ByteCodec

extension Descriptor {
    /// Reads a descriptor.
    /// - Parameters:
    ///   - text: with or without its checksum.
    ///   - requiresChecksum: whether the checksum is required.
    ///
    /// Spec: BIP-379 to BIP-387, BIP-389.
    public init(parsing text: some StringProtocol, requiresChecksum: Bool = false) throws(DescriptorError) {
        let payload: String
        do throws(DescriptorChecksum.Failure) {
            if requiresChecksum, !text.contains("#") { throw .length(0) }
            payload = try DescriptorChecksum.verify(String(text))
        } catch { throw .checksum(error) }
        self.init(try DescriptorParser(payload[...]).expression(in: .top))
        let keys = keys
        let counts = keys.lazy.map(\.branchCount).filter { $0 != 1 }
        guard counts.allSatisfy({ $0 == counts.first }) else { throw .multipathLengths }
        guard Self.derivationCount(of: keys) <= Self.maximumDerivationCount else { throw .tooManyDerivations }
    }
}

/// Reads the payload of a descriptor.
private struct DescriptorParser {
    /// The context of an expression.
    enum Place {
        case top, sh, wsh, tr
    }

    private let text: Substring
    private static let mostKeysBare = 3

    init(_ text: Substring) { self.text = text }

    /// A script expression.
    func expression(in place: Place) throws(DescriptorError) -> Descriptor.Expression {
        if place == .wsh, MiniscriptName(startOf: text) != nil {
            return .miniscript(try Miniscript(parsingDescriptor: text, in: .p2wsh))
        }
        let (name, content) = try function()
        switch (name, place) {
        case ("pk", .top), ("pk", .sh), ("pk", .wsh): return .pk(try key(content, place))
        case ("pkh", .top), ("pkh", .sh), ("pkh", .wsh): return .pkh(try key(content, place))
        case ("wpkh", .top), ("wpkh", .sh): return .wpkh(try key(content, .wsh))
        case ("combo", .top): return .combo(try key(content, place))
        case ("multi", .top), ("multi", .sh), ("multi", .wsh): return try multi(content, place, isSorted: false)
        case ("sortedmulti", .top), ("sortedmulti", .sh), ("sortedmulti", .wsh):
            return try multi(content, place, isSorted: true)
        case ("sh", .top): return .sh(try DescriptorParser(content).expression(in: .sh))
        case ("wsh", .top), ("wsh", .sh): return .wsh(try DescriptorParser(content).expression(in: .wsh))
        case ("tr", .top): return try taproot(content)
        case ("addr", .top): return try address(content)
        case ("raw", .top):
            guard let bytes = try? Hex.decode(content) else { throw .script }
            return .raw(Script(bytes))
        default: throw .functionNotAllowed(name)
        }
    }

    /// A function's name and the text in its brackets.
    private func function() throws(DescriptorError) -> (name: String, content: Substring) {
        if let name = MiniscriptName(startOf: text) { throw .misplacedMiniscript(name.text) }
        guard let open = text.utf8.firstIndex(of: UInt8(ascii: "(")), text.utf8.last == UInt8(ascii: ")") else {
            throw .malformed
        }
        let name = text[..<open]
        guard !name.isEmpty, name.utf8.allSatisfy({ $0 == UInt8(ascii: "_") || $0.isLowerCaseLetter }) else {
            throw .malformed
        }
        return (String(name), Substring(text.utf8[open...].dropFirst().dropLast()))
    }

    private func key(_ text: Substring, _ place: Place) throws(DescriptorError) -> DescriptorKey {
        let key = try DescriptorKey(parsing: text, allowsXOnly: place == .tr)
        guard place == .top || place == .sh || !key.isUncompressed else { throw .uncompressedKey }
        return key
    }

    private func multi(
        _ text: Substring, _ place: Place, isSorted: Bool
    ) throws(DescriptorError) -> Descriptor.Expression {
        let most = place == .top ? Self.mostKeysBare : MultisigScript.maximumKeyCount
        let (threshold, keys) = try thresholdAndKeys(text, place, most: most)
        if place == .sh {
            // One byte for each number and the check, and one before each key; keys in a tree are compressed.
            var room = Script.maximumRedeemScriptLength - 3
            let fitting = keys.prefix { key in
                room -= key.isUncompressed ? 66 : 34
                return room >= 0
            }
            guard fitting.count == keys.count else { throw .tooManyKeys(keys.count, limit: fitting.count) }
        }
        return .multi(threshold: threshold, keys: keys, isSorted: isSorted)
    }

    private func thresholdAndKeys(
        _ text: Substring, _ place: Place, most: Int
    ) throws(DescriptorError) -> (Int, [DescriptorKey]) {
        var parts = text.split(separator: ",", omittingEmptySubsequences: false)
        let first = parts.removeFirst()
        guard first.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let threshold = Int(first)
        else { throw .threshold }
        guard parts.count <= most else { throw .tooManyKeys(parts.count, limit: most) }
        var keys: [DescriptorKey] = []
        for part in parts { keys.append(try key(part, place)) }
        guard (1...max(1, keys.count)).contains(threshold), !keys.isEmpty else { throw .threshold }
        return (threshold, keys)
    }

    /// The script of an address on any network.
    private func address(_ text: Substring) throws(DescriptorError) -> Descriptor.Expression {
        for network in [Network.main, .test, .regtest] {
            if let address = try? Address(parsing: text, network: network) {
                return .address(address.scriptPubKey, text: address.description)
            }
        }
        throw .address
    }

    // MARK: Taproot

    private func taproot(_ text: Substring) throws(DescriptorError) -> Descriptor.Expression {
        guard let comma = text.utf8.firstIndex(of: UInt8(ascii: ",")) else { return .tr(try key(text, .tr), nil) }
        var rest = text[text.utf8.index(after: comma)...]
        let scripts = try Self.scripts(from: &rest, depth: 0)
        guard rest.isEmpty else { throw .malformed }
        return .tr(try key(text[..<comma], .tr), scripts)
    }

    /// Reads the script tree at the start of a text. Looks at each character once, at any depth.
    private static func scripts(
        from rest: inout Substring, depth: Int
    ) throws(DescriptorError) -> Descriptor.TaprootScripts {
        guard depth <= Descriptor.maximumTreeDepth else { throw .tooDeep }
        guard take("{", from: &rest) else {
            let end = endOfExpression(rest)
            defer { rest = rest[end...] }
            return try DescriptorParser(rest[..<end]).leaf()
        }
        let one = try scripts(from: &rest, depth: depth + 1)
        guard take(",", from: &rest) else { throw .malformed }
        let other = try scripts(from: &rest, depth: depth + 1)
        guard take("}", from: &rest) else { throw .malformed }
        return .branch(one, other)
    }

    private static func take(_ character: Unicode.Scalar, from rest: inout Substring) -> Bool {
        guard rest.unicodeScalars.first == character else { return false }
        rest = rest[rest.unicodeScalars.index(after: rest.startIndex)...]
        return true
    }

    /// The comma, bracket or brace that ends the expression at the start of a text, or the text's end.
    private static func endOfExpression(_ text: Substring) -> Substring.Index {
        var depth = 0
        for (index, character) in zip(text.utf8.indices, text.utf8) {
            switch character {
            case UInt8(ascii: "{"), UInt8(ascii: "("): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: ")"):
                if depth == 0 { return index }
                depth -= 1
            case UInt8(ascii: ",") where depth == 0: return index
            default: break
            }
        }
        return text.endIndex
    }

    private func leaf() throws(DescriptorError) -> Descriptor.TaprootScripts {
        if MiniscriptName(startOf: text) != nil {
            return .miniscript(try Miniscript(parsingDescriptor: text, in: .tapscript))
        }
        let (name, content) = try function()
        switch name {
        case "pk": return .pk(try key(content, .tr))
        case "pkh": return .pkh(try key(content, .tr))
        case "multi_a", "sortedmulti_a":
            let (threshold, keys) = try thresholdAndKeys(content, .tr, most: MiniscriptLimits.tapscriptKeys)
            return .multi(threshold: threshold, keys: keys, isSorted: name == "sortedmulti_a")
        default: throw .functionNotAllowed(name)
        }
    }
}

extension UInt8 {
    fileprivate var isLowerCaseLetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self) }
}
