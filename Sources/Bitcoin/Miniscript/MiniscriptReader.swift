/// Reads a witness script, or a leaf of taproot, backwards: the last operations say what stands before them.
///
/// Spec: BIP-379, "Translation table"; Bitcoin Core, `DecodeScript`, has the same grammar.
struct MiniscriptReader {
    typealias Expression = Miniscript<ScriptKey>

    /// An operation, or what is pushed.
    private enum Token: Equatable {
        case operation(Opcode)
        case number(Int64)
        case push([UInt8])
    }

    private let context: MiniscriptContext
    private var tokens: [Token] = []
    private var depth = 0

    /// - Returns: `nil` if the script ends in the middle of a push, or pushes in a way that miniscript does not.
    init?(_ script: Script, in context: MiniscriptContext) {
        self.context = context
        guard let elements = script.elements else { return nil }
        for element in elements {
            if let number = element.opcode.number {
                tokens.append(.number(Int64(number)))
            } else if let data = element.data {
                guard element.isMinimal else { return nil }
                tokens.append(.push(Array(data)))
            } else if let simple = element.opcode.withoutVerify {
                tokens += [.operation(simple), .operation(.verify)]
            } else {
                // What has a form with VERIFY is written in it.
                if element.opcode == .verify, case .operation(let last)? = tokens.last, last.withVerify != nil {
                    return nil
                }
                tokens.append(.operation(element.opcode))
            }
        }
    }

    /// The whole script as an expression.
    mutating func whole() -> Expression? {
        guard let expression = chain(), tokens.isEmpty else { return nil }
        return expression
    }

    // MARK: Tokens, from the end

    private mutating func take(_ opcode: Opcode) -> Bool {
        guard tokens.last == .operation(opcode) else { return false }
        tokens.removeLast()
        return true
    }

    private mutating func takePush(of length: Int) -> [UInt8]? {
        guard case .push(let bytes)? = tokens.last, bytes.count == length else { return nil }
        tokens.removeLast()
        return bytes
    }

    private mutating func takeNumber() -> Int64? {
        switch tokens.last {
        case .number(let number):
            tokens.removeLast()
            return number
        case .push(let bytes):
            guard let number = try? ScriptNumber.decode(bytes, isMinimal: true) else { return nil }
            tokens.removeLast()
            return number
        default: return nil
        }
    }

    // MARK: Expressions

    /// Expressions that follow each other: joined by `and_v`, the first two first.
    private mutating func chain() -> Expression? {
        guard let last = single() else { return nil }
        var expressions = [last]
        while mayContinue {
            guard let expression = single() else { return nil }
            expressions.append(expression)
        }
        var joined = expressions.removeLast()
        while let next = expressions.popLast() {
            guard let both = try? Expression(.andV(joined, next), in: context) else { return nil }
            joined = both
        }
        return joined
    }

    /// Whether what is left can end an expression.
    private var mayContinue: Bool {
        switch tokens.last {
        case nil: false
        case .operation(let opcode)?: ![Opcode.if, .else, .notIf, .toAltStack, .swap].contains(opcode)
        case .number?, .push?: true
        }
    }

    private mutating func single() -> Expression? {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Expression.maximumDepth, let fragment = fragment() else { return nil }
        return try? Expression(fragment, in: context)
    }

    private mutating func fragment() -> Expression.Fragment? {
        switch tokens.last {
        case .number(0):
            tokens.removeLast()
            return .zero
        case .number(1):
            tokens.removeLast()
            return .one
        case .push: return takePush(of: context.keyLength).map { .pkK(.key($0)) }
        case .operation(let opcode):
            tokens.removeLast()
            return fragment(endingIn: opcode)
        case .number, nil: return nil
        }
    }

    private mutating func fragment(endingIn opcode: Opcode) -> Expression.Fragment? {
        switch opcode {
        case .checkSequenceVerify: return takeNumber().flatMap { UInt32(exactly: $0) }.map { .older($0) }
        case .checkLockTimeVerify: return takeNumber().flatMap { UInt32(exactly: $0) }.map { .after($0) }
        case .checkMultisig: return multi()
        case .numericEqual: return multiA()
        case .checkSignature: return single().map { .wrapped(.check, $0) }
        case .notEqualToZero: return single().map { .wrapped(.zeroNotEqual, $0) }
        case .verify: return keyHash() ?? single().map { .wrapped(.verify, $0) }
        case .equal: return hash() ?? threshold()
        case .booleanAnd: return pair().map { .andB($0, $1) }
        case .booleanOr: return pair().map { .orB($0, $1) }
        case .endIf: return condition()
        default: return nil
        }
    }

    /// `DUP HASH160 <hash> EQUAL VERIFY`, of which the last is taken.
    private mutating func keyHash() -> Expression.Fragment? {
        guard tokens.count >= 4, tokens.suffix(4).first == .operation(.duplicate),
            tokens[tokens.count - 3] == .operation(.hash160), case .push(let hash) = tokens[tokens.count - 2],
            hash.count == 20, tokens.last == .operation(.equal)
        else { return nil }
        tokens.removeLast(4)
        return .pkH(.hash(hash))
    }

    /// `SIZE <32> EQUAL VERIFY <function> <hash> EQUAL`, of which the last is taken.
    private mutating func hash() -> Expression.Fragment? {
        guard tokens.count >= 6, case .push(let hash)? = tokens.last,
            case .operation(let opcode) = tokens[tokens.count - 2],
            let function = PreimageHash.allCases.first(where: { $0.opcode == opcode && $0.length == hash.count }),
            tokens.suffix(6).dropLast(2).elementsEqual([
                .operation(.size), .push([UInt8(PreimageHash.preimageLength)]), .operation(.equal), .operation(.verify),
            ])
        else { return nil }
        tokens.removeLast(6)
        return .hash(function, hash)
    }

    private mutating func multi() -> Expression.Fragment? {
        guard let count = takeNumber(), (1...Int64(MultisigScript.maximumKeyCount)).contains(count) else { return nil }
        var keys: [ScriptKey] = []
        for _ in 0..<count {
            guard let key = takePush(of: PublicKey.length) else { return nil }
            keys.append(.key(key))
        }
        guard let threshold = takeNumber().flatMap({ Int(exactly: $0) }) else { return nil }
        return .multi(threshold, keys.reversed())
    }

    /// `<key> CHECKSIG <key> CHECKSIGADD … <threshold> NUMEQUAL`, of which the last is taken.
    private mutating func multiA() -> Expression.Fragment? {
        guard let threshold = takeNumber().flatMap({ Int(exactly: $0) }) else { return nil }
        var keys: [ScriptKey] = []
        while take(.checkSignatureAdd) {
            guard keys.count < context.maximumKeyCount, let key = takePush(of: context.keyLength) else { return nil }
            keys.append(.key(key))
        }
        guard take(.checkSignature), let first = takePush(of: context.keyLength) else { return nil }
        return .multiA(threshold, [.key(first)] + keys.reversed())
    }

    /// `<first> <second> ADD … <threshold> EQUAL`, of which the last is taken.
    private mutating func threshold() -> Expression.Fragment? {
        guard let threshold = takeNumber().flatMap({ Int(exactly: $0) }) else { return nil }
        var parts: [Expression] = []
        while take(.add) {
            guard parts.count < context.maximumPartCount, let part = wrapped() else { return nil }
            parts.append(part)
        }
        guard let first = single() else { return nil }
        return .threshold(threshold, [first] + parts.reversed())
    }

    /// The two parts of `and_b` and `or_b`.
    private mutating func pair() -> (Expression, Expression)? {
        guard let second = wrapped(), let first = single() else { return nil }
        return (first, second)
    }

    /// An expression in `a:` or `s:`.
    private mutating func wrapped() -> Expression? {
        let isAlternate = take(.fromAltStack)
        guard let inner = chain(), take(isAlternate ? .toAltStack : .swap) else { return nil }
        return try? Expression(.wrapped(isAlternate ? .alternateStack : .swap, inner), in: context)
    }

    /// What ends in `ENDIF`, which is taken.
    private mutating func condition() -> Expression.Fragment? {
        guard let last = chain() else { return nil }
        if take(.else) {
            guard let first = chain() else { return nil }
            if take(.if) { return .orI(first, last) }
            guard take(.notIf), let condition = single() else { return nil }
            return .andOr(condition, last, first)
        }
        if take(.if) {
            if take(.duplicate) { return .wrapped(.duplicateIf, last) }
            return take(.notEqualToZero) && take(.size) ? .wrapped(.nonzeroIf, last) : nil
        }
        guard take(.notIf) else { return nil }
        let isDuplicated = take(.ifDuplicate)
        return single().map { isDuplicated ? .orD($0, last) : .orC($0, last) }
    }
}

extension Miniscript where Key == ScriptKey {
    /// Reads a witness script, or the script of a leaf of taproot; `nil` unless it is miniscript of kind B. What it means is
    /// not judged: see `fault`.
    ///
    /// Spec: BIP-379, "Translation table".
    public init?(_ script: Script, in context: MiniscriptContext = .p2wsh) {
        guard script.bytes.count <= context.maximumScriptLength,
            var reader = MiniscriptReader(script, in: context), let expression = reader.whole(),
            expression.type.contains(.base),
            expression.script({ $0 }) == script
        else { return nil }
        self = expression
    }
}
