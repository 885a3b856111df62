extension String {
    /// Starts with a capital and ends with a full stop, unless it already ends like a sentence. A first word that contains a
    /// colon, dot or slash names a server or file, and stays as it is.
    package var asSentence: String {
        guard let first = unicodeScalars.first, let last = unicodeScalars.last else { return "" }
        let word = utf8.prefix { $0 != UInt8(ascii: " ") }
        let isName = word.contains { [UInt8(ascii: ":"), UInt8(ascii: "."), UInt8(ascii: "/")].contains($0) }
        let isWhole = ".?!:…".unicodeScalars.contains(last)
        let rest = unicodeScalars.dropFirst()
        return (isName ? String(first) : first.properties.uppercaseMapping) + String(rest) + (isWhole ? "" : ".")
    }
}
