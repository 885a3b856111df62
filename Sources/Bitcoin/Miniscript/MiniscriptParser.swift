import ByteCodec

/// Reads miniscript's text, each character a bounded number of times.
///
/// Spec: BIP-379, "Specification".
struct MiniscriptParser<Key: Sendable> {
    private var rest: Substring.UTF8View
    private let context: MiniscriptContext
    private let readKey: (Substring) throws(MiniscriptError) -> Key
    private var depth = 0
    /// The bytes of the script of what has been read: what is longer than any that can be spent takes no memory.
    private var scriptLength = 0

    /// - Parameter readKey: reads a key expression.
    init(
        _ text: Substring, in context: MiniscriptContext,
        readKey: @escaping (Substring) throws(MiniscriptError) -> Key
    ) {
        (rest, self.context, self.readKey) = (text.utf8, context, readKey)
    }

    /// The whole text as an expression.
    mutating func whole() throws(MiniscriptError) -> Miniscript<Key> {
        let expression = try expression()
        guard rest.isEmpty else { throw .malformed }
        return expression
    }

    private mutating func expression() throws(MiniscriptError) -> Miniscript<Key> {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Miniscript<Key>.maximumDepth else { throw .tooDeep }
        let wrappers = self.wrappers()
        let name = word()
        var expression = try fragment(name)
        for letter in wrappers.reversed() { expression = try wrap(expression, letter) }
        return expression
    }

    /// The letters before a colon, which are taken; empty if there is no colon.
    private mutating func wrappers() -> [UInt8] {
        let letters = rest.before { !$0.isLetter }
        guard !letters.isEmpty, rest[letters.endIndex...].first == UInt8(ascii: ":") else { return [] }
        rest = rest[letters.endIndex...].dropFirst()
        return Array(letters)
    }

    private mutating func wrap(_ x: Miniscript<Key>, _ letter: UInt8) throws(MiniscriptError) -> Miniscript<Key> {
        let letter = Character(Unicode.Scalar(letter))
        switch letter {
        case "t": return try whole(.andV(x, whole(.one)))
        case "l": return try whole(.orI(whole(.zero), x))
        case "u": return try whole(.orI(x, whole(.zero)))
        default:
            guard let wrapper = MiniscriptWrapper(rawValue: letter) else { throw .unknownName("\(letter):") }
            return try whole(.wrapped(wrapper, x))
        }
    }

    /// An expression of what has been read.
    private mutating func whole(_ fragment: Miniscript<Key>.Fragment) throws(MiniscriptError) -> Miniscript<Key> {
        let expression = try Miniscript(fragment, in: context)
        scriptLength += fragment.ownLength(in: context)
        let limit = context.maximumScriptLength
        guard scriptLength <= limit else { throw .scriptTooLong(scriptLength, limit: limit) }
        return expression
    }

    /// Takes a name, or `0` or `1`.
    private mutating func word() -> String {
        let word = rest.before { !($0.isLetter || $0.isDigit || $0 == UInt8(ascii: "_")) }
        rest = rest[word.endIndex...]
        return String(Substring(word))
    }

    private mutating func fragment(_ name: String) throws(MiniscriptError) -> Miniscript<Key> {
        switch name {
        case "0": return try whole(.zero)
        case "1": return try whole(.one)
        default: break
        }
        try take(UInt8(ascii: "("))
        let fragment: Miniscript<Key>.Fragment
        switch name {
        case "pk_k": fragment = .pkK(try key())
        case "pk_h": fragment = .pkH(try key())
        case "pk": fragment = .wrapped(.check, try whole(.pkK(try key())))
        case "pkh": fragment = .wrapped(.check, try whole(.pkH(try key())))
        case "older": fragment = .older(try number(name))
        case "after": fragment = .after(try number(name))
        case "multi" where context == .p2wsh, "multi_a" where context == .tapscript: fragment = try multi(name)
        case "thresh": fragment = try threshold()
        case "andor": fragment = .andOr(try expression(), try next(name), try next(name))
        case "and_n": fragment = .andOr(try expression(), try next(name), try whole(.zero))
        case "and_v": fragment = .andV(try expression(), try next(name))
        case "and_b": fragment = .andB(try expression(), try next(name))
        case "or_b": fragment = .orB(try expression(), try next(name))
        case "or_c": fragment = .orC(try expression(), try next(name))
        case "or_d": fragment = .orD(try expression(), try next(name))
        case "or_i": fragment = .orI(try expression(), try next(name))
        default:
            guard let function = PreimageHash(rawValue: name) else { throw .unknownName(name) }
            guard let hash = try? Hex.decode(argument()) else { throw .hashLength(name) }
            fragment = .hash(function, hash)
        }
        guard rest.first != UInt8(ascii: ",") else { throw .argumentCount(name) }
        try take(UInt8(ascii: ")"))
        return try whole(fragment)
    }

    private mutating func take(_ character: UInt8) throws(MiniscriptError) {
        guard rest.first == character else { throw .malformed }
        rest = rest.dropFirst()
    }

    /// A further expression.
    private mutating func next(_ name: String) throws(MiniscriptError) -> Miniscript<Key> {
        guard rest.first != UInt8(ascii: ")") else { throw .argumentCount(name) }
        try take(UInt8(ascii: ","))
        return try expression()
    }

    /// Takes what stands before a comma or bracket.
    private mutating func argument() -> Substring {
        let argument = rest.before { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: ")") || $0 == UInt8(ascii: "(") }
        rest = rest[argument.endIndex...]
        return Substring(argument)
    }

    private mutating func key() throws(MiniscriptError) -> Key { try readKey(argument()) }

    private mutating func number(_ name: String) throws(MiniscriptError) -> UInt32 {
        let digits = argument()
        guard !digits.isEmpty, digits.utf8.allSatisfy(\.isDigit),
            let number = UInt32(digits)
        else { throw .number(name) }
        return number
    }

    private mutating func multi(_ name: String) throws(MiniscriptError) -> Miniscript<Key>.Fragment {
        guard let threshold = try? number(name) else { throw .threshold(name) }
        let most = context.maximumKeyCount
        var keys: [Key] = []
        while rest.first == UInt8(ascii: ",") {
            guard keys.count < most else {
                let others = rest.prefix { $0 != UInt8(ascii: ")") }.count { $0 == UInt8(ascii: ",") }
                throw .tooManyKeys(keys.count + others, limit: most)
            }
            rest = rest.dropFirst()
            keys.append(try key())
        }
        return context == .tapscript ? .multiA(Int(threshold), keys) : .multi(Int(threshold), keys)
    }

    private mutating func threshold() throws(MiniscriptError) -> Miniscript<Key>.Fragment {
        guard let threshold = try? number("thresh") else { throw .threshold("thresh") }
        var parts: [Miniscript<Key>] = []
        while rest.first == UInt8(ascii: ",") {
            try context.checkPartCount(parts.count + 1)
            rest = rest.dropFirst()
            parts.append(try expression())
        }
        return .threshold(Int(threshold), parts)
    }
}

extension Miniscript {
    /// Reads an expression.
    /// - Parameter readKey: reads a key expression.
    /// - Throws: `MiniscriptError`. What the expression means is not judged: see `fault`.
    ///
    /// Spec: BIP-379, "Specification".
    init(
        parsing text: Substring, in context: MiniscriptContext = .p2wsh,
        readKey: @escaping (Substring) throws(MiniscriptError) -> Key
    ) throws(MiniscriptError) {
        var parser = MiniscriptParser(text, in: context, readKey: readKey)
        self = try parser.whole()
    }
}

extension UInt8 {
    fileprivate var isLetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self) }
    fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}
