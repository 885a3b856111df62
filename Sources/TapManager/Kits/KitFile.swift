/// A file of a kit.
package struct KitFile: Sendable {
    /// Every file that a kit has.
    package enum Name: String, CaseIterable, Sendable {
        /// The descriptors, one on each line.
        case descriptors = "descriptors.txt"
        /// The argument of Bitcoin Core's `importdescriptors`.
        case core = "core.json"
        /// What the kit is, and what to do with it.
        case readMe = "read-me.txt"
        /// The same to be printed.
        case page = "page.svg"
        /// Everything for programs, with the digests of the other files.
        case document = "wallet.json"
    }

    package let name: Name
    package let bytes: [UInt8]

    package init(_ name: Name, _ bytes: [UInt8]) { (self.name, self.bytes) = (name, bytes) }

    /// A text, in UTF-8.
    package init(_ name: Name, _ text: String) { self.init(name, Array(text.utf8)) }
}
