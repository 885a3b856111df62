extension UInt8 {
    /// The byte, in lower case if it is an ASCII capital.
    var asciiLowercased: UInt8 { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self + 0x20 : self }

    /// The byte, in upper case if it is a lower-case ASCII letter.
    var asciiUppercased: UInt8 { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self) ? self - 0x20 : self }
}

extension StringProtocol {
    /// The text with only its ASCII capitals in lower case.
    var asciiLowercased: String { String(decoding: utf8.map { $0.asciiLowercased }, as: UTF8.self) }
}
