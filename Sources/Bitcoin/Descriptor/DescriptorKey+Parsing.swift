import ByteCodec

extension DescriptorKey {
    /// Reads a key expression.
    /// - Parameter allowsXOnly: whether a key may be an x coordinate alone, as in `tr`.
    /// - Throws: `DescriptorError.key`.
    ///
    /// Spec: BIP-380, "Key Expressions"; BIP-386 for x coordinates; BIP-389.
    public init(parsing text: some StringProtocol, allowsXOnly: Bool = false) throws(DescriptorError) {
        // Bytes are compared much faster than characters, which can be arbitrarily long.
        var rest = Substring(text).utf8
        var origin: KeyOrigin?
        if rest.first == UInt8(ascii: "[") {
            guard let end = rest.position(where: { $0 == UInt8(ascii: "]") }) else { throw .key(.origin) }
            origin = try Self.origin(rest[..<end].dropFirst().bytes)
            rest = rest[end...].dropFirst()
        }
        let key = rest.before { $0 == UInt8(ascii: "/") }
        let material = try Self.material(Substring(key), allowsXOnly: allowsXOnly)
        var parts = Self.parts(rest[key.endIndex...].bytes)
        let wildcard = parts.last.flatMap(Self.wildcard)
        if wildcard != nil { parts.removeLast() }
        switch material {
        case .extended, .extendedPrivate: break
        case .publicKey, .xOnly, .privateKey:
            guard parts.isEmpty, wildcard == nil else { throw .key(.noChildren) }
        }
        guard parts.count <= Self.maximumDepth else { throw .key(.tooDeep) }
        var steps: [Step] = []
        for part in parts { steps.append(try Self.step(part)) }
        let multipaths = steps.count { if case .eachBranch = $0 { true } else { false } }
        guard multipaths <= 1 else { throw .key(.multipath) }
        self.init(origin: origin, material: material, steps: steps, wildcard: wildcard)
    }

    /// What stands after each slash; the last may be the rest, if there are too many.
    private static func parts(_ text: [UInt8]) -> ArraySlice<ArraySlice<UInt8>> {
        text.split(separator: UInt8(ascii: "/"), maxSplits: maximumDepth + 1, omittingEmptySubsequences: false)
            .dropFirst()
    }

    private static func origin(_ text: [UInt8]) throws(DescriptorError) -> KeyOrigin {
        let parts = parts(text)
        guard parts.count <= maximumDepth else { throw .key(.tooDeep) }
        let first = text.prefix { $0 != UInt8(ascii: "/") }
        guard let bytes = try? Hex.decode(utf8: Array(first)), let fingerprint = Fingerprint(bytes) else {
            throw .key(.origin)
        }
        var path: [ChildNumber] = []
        path.reserveCapacity(parts.count)
        for part in parts {
            guard let number = number(part) else { throw .key(.origin) }
            path.append(number)
        }
        return KeyOrigin(fingerprint: fingerprint, path: DerivationPath(path))
    }

    /// `*`, `*h` or `*'`.
    private static func wildcard(_ text: ArraySlice<UInt8>) -> Wildcard? {
        guard text.first == UInt8(ascii: "*") else { return nil }
        if text.count == 1 { return .normal }
        return text.count == 2 && isHardened(text) ? .hardened : nil
    }

    private static func material(_ text: Substring, allowsXOnly: Bool) throws(DescriptorError) -> Material {
        let length = text.utf8.count
        if length == 66 || length == 130, let bytes = try? Hex.decode(text) {
            // Nodes accept hybrid encodings (06, 07) as keys; descriptors do not.
            guard PublicKey.isValidEncoding(bytes), [2, 3, 4].contains(bytes[0]) else { throw .key(.encoding) }
            return .publicKey(bytes)
        }
        if allowsXOnly, length == 64, let bytes = try? Hex.decode(text) {
            guard PublicKey.isValidEncoding([2] + bytes) else { throw .key(.encoding) }
            return .xOnly(bytes)
        }
        if length <= WalletImportFormat.maximumLength, let key = try? WalletImportFormat(parsing: text) {
            return .privateKey(key)
        }
        if let key = try? ExtendedPublicKey(parsing: text) { return .extended(key) }
        if let key = try? ExtendedPrivateKey(parsing: text) { return .extendedPrivate(key) }
        throw .key(.encoding)
    }

    private static func step(_ text: ArraySlice<UInt8>) throws(DescriptorError) -> Step {
        let (opening, closing) = (UInt8(ascii: "<"), UInt8(ascii: ">"))
        if text.first == opening || text.last == closing {
            guard text.first == opening, text.last == closing, text.count > 2 else { throw .key(.multipath) }
            let parts = text.dropFirst().dropLast().split(
                separator: UInt8(ascii: ";"), maxSplits: maximumBranchCount, omittingEmptySubsequences: false)
            guard parts.count <= maximumBranchCount else { throw .key(.tooManyBranches) }
            var choices: [ChildNumber] = []
            for choice in parts {
                guard let number = number(choice) else { throw .key(.multipath) }
                choices.append(number)
            }
            guard choices.count > 1, Set(choices).count == choices.count else { throw .key(.multipath) }
            return .eachBranch(choices)
        }
        guard let number = number(text) else { throw .key(.step) }
        return .one(number)
    }

    /// A step's number; `nil` when it is not one. Unlike in other paths, `H` does not mark hardened steps.
    private static func number(_ text: ArraySlice<UInt8>) -> ChildNumber? {
        let isHardened = isHardened(text)
        let digits = isHardened ? text.dropLast() : text
        guard !digits.isEmpty else { return nil }
        var index: UInt64 = 0
        for character in digits {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(character) else { return nil }
            index = index * 10 + UInt64(character - UInt8(ascii: "0"))
            guard index <= UInt32.max else { return nil }
        }
        return isHardened ? .hardened(UInt32(index)) : .normal(UInt32(index))
    }

    private static func isHardened(_ text: ArraySlice<UInt8>) -> Bool {
        text.last == UInt8(ascii: "h") || text.last == UInt8(ascii: "'")
    }
}
