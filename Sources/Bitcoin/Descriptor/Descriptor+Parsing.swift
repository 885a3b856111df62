import ByteCodec

extension Descriptor {
    /// Reads a descriptor.
    /// - Parameters:
    ///   - text: with its checksum, or without where that is allowed.
    ///   - requiresChecksum: whether there must be one.
    ///
    /// Spec: BIP-380 to BIP-387, BIP-389.
    public init(parsing text: some StringProtocol, requiresChecksum: Bool = false) throws(DescriptorError) {
        let payload: String
        do throws(DescriptorChecksum.Failure) {
            if requiresChecksum, !text.contains("#") { throw .length(0) }
            payload = try DescriptorChecksum.verify(String(text))
        } catch { throw .checksum(error) }
        self.init(try DescriptorParser(payload[...]).expression(in: .top))
        let counts = Set(keys.map(\.branchCount)).subtracting([1])
        guard counts.count <= 1 else { throw .multipathLengths }
    }
}

/// Reads the payload of a descriptor.
private struct DescriptorParser {
    /// Where an expression stands.
    enum Place {
        case top, sh, wsh, tr
    }

    private let text: Substring
    private static let mostKeysBare = 3
    private static let mostKeysInTapscript = 999
    private static let deepest = 128

    init(_ text: Substring) { self.text = text }

    /// A script expression.
    func expression(in place: Place) throws(DescriptorError) -> Descriptor.Expression {
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

    /// A function's name and what stands in its brackets.
    private func function() throws(DescriptorError) -> (name: String, content: Substring) {
        if let name = MiniscriptName(startOf: text) { throw .miniscript(name.text) }
        guard let open = text.firstIndex(of: "("), text.last == ")" else { throw .malformed }
        let name = text[..<open]
        guard !name.isEmpty, name.utf8.allSatisfy({ $0 == UInt8(ascii: "_") || $0.isLowerCaseLetter }) else {
            throw .malformed
        }
        return (String(name), text[text.index(after: open)...].dropLast())
    }

    private func key(_ text: Substring, _ place: Place) throws(DescriptorError) -> DescriptorKey {
        let key = try DescriptorKey(parsing: text, allowsXOnly: place == .tr)
        guard place == .top || place == .sh || !key.isUncompressed else { throw .uncompressedKey }
        return key
    }

    private func multi(
        _ text: Substring, _ place: Place, isSorted: Bool
    ) throws(DescriptorError) -> Descriptor.Expression {
        let (threshold, keys) = try thresholdAndKeys(text, place)
        let most = place == .top ? Self.mostKeysBare : MultisigScript.maximumKeyCount
        guard keys.count <= most else { throw .tooManyKeys(keys.count) }
        // One byte for each number and the check, and one more in front of each key; keys of a tree are compressed.
        let length = 3 + keys.reduce(0) { $0 + ($1.isUncompressed ? 66 : 34) }
        guard place != .sh || length <= Script.maximumRedeemScriptLength else { throw .tooManyKeys(keys.count) }
        return .multi(threshold: threshold, keys: keys, isSorted: isSorted)
    }

    private func thresholdAndKeys(
        _ text: Substring, _ place: Place
    ) throws(DescriptorError) -> (Int, [DescriptorKey]) {
        var parts = text.split(separator: ",", omittingEmptySubsequences: false)
        let first = parts.removeFirst()
        guard first.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let threshold = Int(first)
        else { throw .threshold }
        var keys: [DescriptorKey] = []
        for part in parts { keys.append(try key(part, place)) }
        guard (1...max(1, keys.count)).contains(threshold), !keys.isEmpty else { throw .threshold }
        return (threshold, keys)
    }

    /// What an address pays to, of whichever network.
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
        guard let comma = text.firstIndex(of: ",") else { return .tr(try key(text, .tr), nil) }
        let scripts = try DescriptorParser(text[text.index(after: comma)...]).scripts(depth: 0)
        return .tr(try key(text[..<comma], .tr), scripts)
    }

    private func scripts(depth: Int) throws(DescriptorError) -> Descriptor.TaprootScripts {
        guard depth <= Self.deepest else { throw .tooDeep }
        if text.first == "{" {
            guard text.last == "}", let comma = middle(of: text.dropFirst().dropLast()) else { throw .malformed }
            let inner = text.dropFirst().dropLast()
            return .branch(
                try DescriptorParser(inner[..<comma]).scripts(depth: depth + 1),
                try DescriptorParser(inner[inner.index(after: comma)...]).scripts(depth: depth + 1))
        }
        let (name, content) = try function()
        switch name {
        case "pk": return .pk(try key(content, .tr))
        case "pkh": return .pkh(try key(content, .tr))
        case "multi_a", "sortedmulti_a":
            let (threshold, keys) = try thresholdAndKeys(content, .tr)
            guard keys.count <= Self.mostKeysInTapscript else { throw .tooManyKeys(keys.count) }
            return .multi(threshold: threshold, keys: keys, isSorted: name == "sortedmulti_a")
        default: throw .functionNotAllowed(name)
        }
    }

    /// The comma that stands in no bracket or brace.
    private func middle(of text: Substring) -> Substring.Index? {
        var depth = 0
        for index in text.indices {
            switch text[index] {
            case "{", "(": depth += 1
            case "}", ")": depth -= 1
            case "," where depth == 0: return index
            default: break
            }
        }
        return nil
    }
}

extension UInt8 {
    fileprivate var isLowerCaseLetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self) }
}
