import ByteCodec

extension Miniscript {
    /// The expression in its shortest form.
    /// - Parameter keyText: a key's expression.
    ///
    /// Spec: BIP-379, "Specification"; Bitcoin Core, `Node::ToString`.
    func text(_ keyText: (Key) -> String) -> String {
        var text = ""
        write(to: &text, isWrapped: false, keyText)
        return text
    }

    /// The expression with `@` for each key: what two expressions of other keys have in common.
    package var skeleton: String { text { _ in "@" } }

    private func write(to text: inout String, isWrapped: Bool, _ keyText: (Key) -> String) {
        if let (letter, wrapped) = fragment.writtenAsWrapper {
            text.append(letter)
            return wrapped.write(to: &text, isWrapped: true, keyText)
        }
        if isWrapped { text += ":" }
        switch fragment {
        case .zero, .one: text += fragment.name
        case .wrapped(_, let x):
            guard case .pkK(let key) = x.fragment else {
                if case .pkH(let key) = x.fragment { text += "pkh(\(keyText(key)))" }
                return
            }
            text += "pk(\(keyText(key)))"
        case .andOr(let x, let y, let z):
            if case .zero = z.fragment {
                write("and_n", [x, y], to: &text, keyText)
            } else {
                write(fragment.name, [x, y, z], to: &text, keyText)
            }
        case .threshold(let threshold, let parts): write("thresh", parts, "\(threshold)", to: &text, keyText)
        default:
            let parts = fragment.parts
            guard parts.isEmpty else { return write(fragment.name, parts, to: &text, keyText) }
            text += "\(fragment.name)(\(fragment.arguments(keyText)))"
        }
    }

    private func write(
        _ name: String, _ parts: [Miniscript], _ first: String? = nil, to text: inout String,
        _ keyText: (Key) -> String
    ) {
        text += "\(name)(\(first ?? "")"
        for (number, part) in parts.enumerated() {
            if number > 0 || first != nil { text += "," }
            part.write(to: &text, isWrapped: false, keyText)
        }
        text += ")"
    }
}

extension Miniscript.Fragment {
    /// The letter before the colon, and what follows it; `nil` if it is not written so.
    fileprivate var writtenAsWrapper: (Character, Miniscript<Key>)? {
        switch self {
        case .wrapped(.check, let x):
            switch x.fragment {
            case .pkK, .pkH: nil
            default: ("c", x)
            }
        case .wrapped(let wrapper, let x): (wrapper.rawValue, x)
        case .andV(let x, let y): y.fragment.isOne ? ("t", x) : nil
        case .orI(let x, let y): x.fragment.isZero ? ("l", y) : y.fragment.isZero ? ("u", x) : nil
        default: nil
        }
    }

    private var isOne: Bool { if case .one = self { true } else { false } }
    private var isZero: Bool { if case .zero = self { true } else { false } }

    /// What is in the brackets of a fragment without parts.
    fileprivate func arguments(_ keyText: (Key) -> String) -> String {
        switch self {
        case .pkK(let key), .pkH(let key): keyText(key)
        case .older(let number), .after(let number): "\(number)"
        case .hash(_, let hash): Hex.encode(hash)
        case .multi(let threshold, let keys), .multiA(let threshold, let keys):
            (["\(threshold)"] + keys.map(keyText)).joined(separator: ",")
        default: ""
        }
    }
}
