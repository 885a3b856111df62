extension String {
    /// With a capital at the beginning and a full stop at the end, unless it ends as a sentence does. A word in front with
    /// a colon or a dot in it is a name, of a server or a file, and stays as it is.
    package var asSentence: String {
        guard let first = unicodeScalars.first, let last = unicodeScalars.last else { return "" }
        let word = utf8.prefix { $0 != UInt8(ascii: " ") }
        let isName = word.contains { [UInt8(ascii: ":"), UInt8(ascii: "."), UInt8(ascii: "/")].contains($0) }
        let isWhole = ".?!:…".unicodeScalars.contains(last)
        let rest = unicodeScalars.dropFirst()
        return (isName ? String(first) : first.properties.uppercaseMapping) + String(rest) + (isWhole ? "" : ".")
    }
}
