extension UInt8 {
    /// The byte, in lower case when it is a capital of ASCII.
    var asciiLowercased: UInt8 { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self + 0x20 : self }

    /// The byte, in upper case when it is a small letter of ASCII.
    var asciiUppercased: UInt8 { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self) ? self - 0x20 : self }
}

extension StringProtocol {
    /// The text with the capitals of ASCII, and nothing else, in lower case.
    var asciiLowercased: String { String(decoding: utf8.map { $0.asciiLowercased }, as: UTF8.self) }
}
