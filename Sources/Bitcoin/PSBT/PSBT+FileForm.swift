import ByteCodec

extension PSBT {
    /// The forms of PSBT files.
    ///
    /// Spec: BIP-174, "Encoding"; hexadecimal is a convention.
    public enum FileForm: Hashable, Sendable, CaseIterable {
        /// Raw bytes (`.psbt` files).
        case binary
        /// Base64 text.
        case base64
        /// Hexadecimal text.
        case hexadecimal
    }

    /// Reads a PSBT in any form; `fileForm` holds which. Text may have white space at its ends and line breaks
    /// inside.
    /// - Throws: `PSBTError`: `.empty`, `.tooLarge`, `.wrongMagic`, `.base64`, `.hexadecimal`, and all that
    ///   `init(serialized:)` throws.
    public init(fileContent content: [UInt8]) throws(PSBTError) {
        guard content.count <= Self.maximumFileSize else { throw .tooLarge(limit: Self.maximumFileSize) }
        guard content.contains(where: { !$0.isASCIIWhitespace }) else { throw .empty }
        let form = try Self.fileForm(of: content)
        switch form {
        case .binary: try self.init(serialized: content, fileForm: form)
        case .base64: try self.init(serialized: try Self.base64Decoded(content), fileForm: form)
        case .hexadecimal:
            let bytes: [UInt8]
            do throws(Hex.DecodingError) {
                bytes = try Hex.decode(utf8: content, skippingWhitespace: true)
            } catch { throw .hexadecimal(error) }
            try self.init(serialized: bytes, fileForm: form)
        }
    }

    /// The PSBT in a form; text has one line without a line end.
    public func encoded(as form: FileForm) -> [UInt8] {
        switch form {
        case .binary: serialized()
        case .base64: Base64.encodeUTF8(serialized())
        case .hexadecimal: Hex.encodeUTF8(serialized())
        }
    }

    /// The PSBT in Base64, one line without a line end.
    package var base64Text: String { String(decoding: encoded(as: .base64), as: UTF8.self) }

    /// Detects the form from the first characters. Anything that does not start like a PSBT is read as text as far as it
    /// goes, to tell broken text from something else.
    private static func fileForm(of content: [UInt8]) throws(PSBTError) -> FileForm {
        if content.starts(with: magic) { return .binary }
        let text = content.drop { $0.isASCIIWhitespace }
        if Hex.encodeUTF8(magic).elementsEqual(text.prefix(2 * magic.count).lazy.map { $0 | 0x20 }) {
            return .hexadecimal
        }
        if text.starts(with: Base64.encodeUTF8(magic).prefix(6)) { return .base64 }
        let isText = text.allSatisfy { $0.isASCIIWhitespace || (0x21...0x7E).contains($0) }
        let isHexadecimal = isText && (try? Hex.decode(utf8: content, skippingWhitespace: true)) != nil
        if isText, !isHexadecimal { _ = try base64Decoded(content) }
        throw .wrongMagic
    }

    private static func base64Decoded(_ content: [UInt8]) throws(PSBTError) -> [UInt8] {
        do throws(Base64.DecodingError) {
            return try Base64.decode(utf8: content, skippingWhitespace: true)
        } catch { throw .base64(error) }
    }
}
