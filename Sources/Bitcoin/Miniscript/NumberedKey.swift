/// A key of an expression, and where it stands in it.
public struct NumberedKey<Key: Sendable>: Sendable {
    /// The key's number in the order of the text, from 0; in a descriptor, its place in `Descriptor.keys`.
    public let number: Int
    /// The key itself.
    public let key: Key
}

extension Miniscript {
    /// The expression with a number for each key.
    public var numbered: Miniscript<NumberedKey<Key>> { numbered(from: 0) }

    /// The same where other keys come first.
    func numbered(from start: Int) -> Miniscript<NumberedKey<Key>> {
        var number = start - 1
        return mapKeys { key in
            number += 1
            return NumberedKey(number: number, key: key)
        }
    }
}
