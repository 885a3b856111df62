/// Why a text was rejected as JSON, and where.
package struct JSONFault: Error, Hashable, Sendable {
    /// What is wrong.
    package enum Reason: Hashable, Sendable {
        /// Not JSON.
        case syntax
        /// Not an object, where one was expected.
        case noObject
        /// Longer than `JSONBounds.length`.
        case length
        /// Deeper than `JSONBounds.depth`.
        case depth
        /// More values than `JSONBounds.valueCount`.
        case valueCount
        /// A key longer than `JSONBounds.keyLength`.
        case keyLength
        /// A character with an absurd number of combining marks.
        case endlessLetter
        /// The same key twice in an object.
        case repeatedKey
    }

    /// What is wrong.
    package let reason: Reason
    /// In bytes from the start: where reading stopped, or where the text with the endless character begins.
    package let offset: Int

    package init(_ reason: Reason, at offset: Int) {
        self.reason = reason
        self.offset = offset
    }
}
