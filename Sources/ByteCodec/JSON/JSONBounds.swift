/// How much JSON is read. What comes from outside is refused at the first of these, so that it cannot take all memory or time.
///
/// The defaults are for a small text; whoever expects more says how much. Letters that go on without end are never read.
package struct JSONBounds: Sendable {
    /// The longest text, in bytes.
    package let length: Int
    /// How many arrays and objects a value may lie in.
    package let depth: Int
    /// The longest key, in bytes: a host's name has no more than the default.
    package let keyLength: Int
    /// The most values, counted on all levels.
    package let valueCount: Int

    package init(length: Int = 65_536, depth: Int = 32, keyLength: Int = 256, valueCount: Int = 1_000) {
        self.length = length
        self.depth = depth
        self.keyLength = keyLength
        self.valueCount = valueCount
    }
}
