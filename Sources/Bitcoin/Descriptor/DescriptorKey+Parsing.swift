import ByteCodec

extension DescriptorKey {
    /// Reads a key expression.
    /// - Parameter allowsXOnly: whether a key may be an x coordinate alone, as in `tr`.
    /// - Throws: `DescriptorError.key`.
    ///
    /// Spec: BIP-380, "Key Expressions"; BIP-386 for x coordinates; BIP-389.
    public init(parsing text: some StringProtocol, allowsXOnly: Bool = false) throws(DescriptorError) {
        guard !text.hasEndlessLetter else { throw .key(.encoding) }
        // Bytes are compared much faster than characters.
        var rest = Substring(text).utf8
        var origin: KeyOrigin?
        if rest.first == UInt8(ascii: "[") {
            guard let end = rest.position(where: { $0 == UInt8(ascii: "]") }) else { throw .key(.origin) }
            origin = try Self.origin(rest[..<end].dropFirst())
            rest = rest[end...].dropFirst()
        }
        var parts = Self.parts(rest)
        let material = try Self.material(parts.removeFirst(), allowsXOnly: allowsXOnly)
        var wildcard: Wildcard?
        switch parts.last {
        case "*": wildcard = .normal
        case "*h", "*'": wildcard = .hardened
        default: break
        }
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

    /// What stands between slashes; the last may be the rest, if there are too many.
    private static func parts(_ text: Substring.UTF8View) -> [Substring] {
        var parts: [Substring] = []
        parts.reserveCapacity(8)
        var rest = text
        while parts.count <= maximumDepth, let slash = rest.position(where: { $0 == UInt8(ascii: "/") }) {
            parts.append(Substring(rest[..<slash]))
            rest = rest[slash...].dropFirst()
        }
        parts.append(Substring(rest))
        return parts
    }

    private static func origin(_ text: Substring.UTF8View) throws(DescriptorError) -> KeyOrigin {
        var parts = parts(text)
        guard parts.count <= maximumDepth + 1 else { throw .key(.tooDeep) }
        guard let bytes = try? Hex.decode(parts.removeFirst()), let fingerprint = Fingerprint(bytes) else {
            throw .key(.origin)
        }
        var path: [ChildNumber] = []
        for part in parts {
            guard let number = number(part) else { throw .key(.origin) }
            path.append(number)
        }
        return KeyOrigin(fingerprint: fingerprint, path: DerivationPath(path))
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

    private static func step(_ text: Substring) throws(DescriptorError) -> Step {
        let (opening, closing) = (UInt8(ascii: "<"), UInt8(ascii: ">"))
        let bytes = text.utf8
        if bytes.first == opening || bytes.last == closing {
            guard bytes.first == opening, bytes.last == closing, bytes.count > 2 else { throw .key(.multipath) }
            let parts = bytes.dropFirst().dropLast().split(
                separator: UInt8(ascii: ";"), maxSplits: maximumBranchCount, omittingEmptySubsequences: false)
            guard parts.count <= maximumBranchCount else { throw .key(.tooManyBranches) }
            var choices: [ChildNumber] = []
            for choice in parts {
                guard let number = number(Substring(choice)) else { throw .key(.multipath) }
                choices.append(number)
            }
            guard choices.count > 1, Set(choices).count == choices.count else { throw .key(.multipath) }
            return .eachBranch(choices)
        }
        guard let number = number(text) else { throw .key(.step) }
        return .one(number)
    }

    /// A step's number; `nil` when it is not one. Unlike in other paths, `H` does not mark hardened steps.
    private static func number(_ text: Substring) -> ChildNumber? {
        let isHardened = text.utf8.last == UInt8(ascii: "h") || text.utf8.last == UInt8(ascii: "'")
        let digits = isHardened ? text.utf8.dropLast() : text.utf8
        guard !digits.isEmpty else { return nil }
        var index: UInt64 = 0
        for character in digits {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(character) else { return nil }
            index = index * 10 + UInt64(character - UInt8(ascii: "0"))
            guard index <= UInt32.max else { return nil }
        }
        return isHardened ? .hardened(UInt32(index)) : .normal(UInt32(index))
    }
}
