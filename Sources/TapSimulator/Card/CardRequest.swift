import ByteCodec

/// One CBOR request: the command's name and its arguments, parsed as strictly as a card does.
struct CardRequest: Sendable {
    /// Bytes in a nonce, the host's or the card's.
    static let nonceLength = 16

    let command: String
    private var arguments: CBORMap

    /// - Throws: `CardFault.badCBOR` for anything but a CBOR map of definite lengths, `.badArguments` without a command
    ///   name.
    init(_ bytes: [UInt8]) throws(CardFault) {
        guard let value = try? CBORDecoder.decode(bytes), case .map(let map) = value,
            !DefiniteLengths.isViolated(by: bytes)
        else { throw .badCBOR }
        guard case .text(let command)? = map["cmd"] else { throw .badArguments }
        self.command = command
        arguments = map
    }

    /// The same request with a different value for one argument.
    func replacing(_ name: String, _ value: CBORValue) -> Self {
        var request = self
        request.arguments[name] = value
        return request
    }

    /// Whether an argument is given.
    func has(_ name: String) -> Bool { arguments[name] != nil }

    /// A byte string of one of these lengths.
    func bytes(_ name: String, length: ClosedRange<Int>) throws(CardFault) -> [UInt8] {
        guard case .bytes(let content)? = arguments[name], length.contains(content.count) else {
            throw .badArguments
        }
        return content
    }

    /// A byte string of this length.
    func bytes(_ name: String, length: Int) throws(CardFault) -> [UInt8] {
        try bytes(name, length: length...length)
    }

    /// The host's nonce, which must not be a single repeated byte.
    func nonce() throws(CardFault) -> [UInt8] {
        let nonce = try bytes("nonce", length: Self.nonceLength)
        guard nonce.contains(where: { $0 != nonce.first }) else { throw .weakNonce }
        return nonce
    }

    /// A boolean.
    func flag(_ name: String) throws(CardFault) -> Bool {
        guard case .bool(let flag)? = arguments[name] else { throw .badArguments }
        return flag
    }

    /// The slot number; 0 if missing.
    func slot() throws(CardFault) -> Int {
        guard let value = arguments["slot"] else { return 0 }
        guard case .unsigned(let number) = value, number <= 0xFF else { throw .badArguments }
        return Int(number)
    }

    /// A path as an array of 32-bit numbers; `nil` if missing.
    func path(_ name: String) throws(CardFault) -> [UInt32]? {
        guard let value = arguments[name] else { return nil }
        guard case .array(let items) = value else { throw .badArguments }
        var path: [UInt32] = []
        for item in items {
            guard case .unsigned(let number) = item, let step = UInt32(exactly: number) else { throw .badArguments }
            path.append(step)
        }
        return path
    }
}

/// Cards accept only definite lengths.
///
/// Spec: protocol, "Wire"; RFC 8949, section 3.2.
private enum DefiniteLengths {
    /// Whether well-formed CBOR contains an item of indefinite length anywhere.
    static func isViolated(by bytes: [UInt8]) -> Bool {
        var position = 0
        while position < bytes.count {
            let major = bytes[position] >> 5
            let information = bytes[position] & 31
            if information == 31 { return true }
            position += 1
            let width = information < 24 ? 0 : 1 << Int(information - 24)
            guard width <= 8, position + width <= bytes.count else { return false }
            let argument =
                width == 0
                ? UInt64(information) : bytes[position..<(position + width)].reduce(0) { $0 << 8 | UInt64($1) }
            position += width
            // Only strings have content of their own; the items of arrays and maps follow as heads.
            if major == 2 || major == 3 {
                guard argument <= UInt64(bytes.count - position) else { return false }
                position += Int(argument)
            }
        }
        return false
    }
}
