/// Limits for reading JSON. Text from outside is rejected at the first limit, so that it cannot use up memory or time.
///
/// The defaults are for a small text; callers that expect more set their own. Endless characters are never accepted.
package struct JSONBounds: Sendable {
    /// The longest text, in bytes.
    package let length: Int
    /// How deeply a value may be nested in arrays and objects.
    package let depth: Int
    /// The longest key, in bytes: a host name is no longer than the default.
    package let keyLength: Int
    /// The most values, counted at all levels.
    package let valueCount: Int

    package init(length: Int = 65_536, depth: Int = 32, keyLength: Int = 256, valueCount: Int = 1_000) {
        self.length = length
        self.depth = depth
        self.keyLength = keyLength
        self.valueCount = valueCount
    }

    /// What a text has that exceeds a limit, with the limit: “more than 1000 values”; `nil`: another fault.
    package func excess(_ reason: JSONFault.Reason) -> String? {
        switch reason {
        case .length: "more than \(length) bytes"
        case .depth: "more than \(depth) levels of lists and objects"
        case .valueCount: "more than \(valueCount) values"
        case .keyLength: "a key of more than \(keyLength) bytes"
        case .endlessLetter: "a character with more than \(Character.maximumMarkCount) accents"
        case .syntax, .noObject, .repeatedKey: nil
        }
    }
}
