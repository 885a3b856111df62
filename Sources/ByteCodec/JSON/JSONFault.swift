/// Why a text is not read as JSON, and where that was found.
package struct JSONFault: Error, Hashable, Sendable {
    /// What is wrong.
    package enum Reason: Hashable, Sendable {
        /// No JSON.
        case syntax
        /// Something else where an object was asked for.
        case noObject
        /// Longer than `JSONBounds.length`.
        case length
        /// Deeper than `JSONBounds.depth`.
        case depth
        /// More values than `JSONBounds.valueCount`.
        case valueCount
        /// A key longer than `JSONBounds.keyLength`.
        case keyLength
        /// A letter with more accents than any writing has.
        case endlessLetter
        /// The same key twice in an object.
        case repeatedKey
    }

    /// What is wrong.
    package let reason: Reason
    /// In bytes from the beginning: where reading stopped, or where the text with the endless letter begins.
    package let offset: Int

    package init(_ reason: Reason, at offset: Int) {
        self.reason = reason
        self.offset = offset
    }
}
