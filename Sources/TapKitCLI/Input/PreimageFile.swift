import ByteCodec
import Terminal
import TextLayout

/// A file with the preimage of a hash, for spending paths that take one.
enum PreimageFile {
    private static let length = 32

    /// 32 bytes as they are, or in hexadecimal.
    /// - Throws: `Failure`: `.noInputFile`, `.inputUnreadable`, `.badArgument`, ….
    static func read(_ file: String) throws(Failure) -> [UInt8] {
        let bytes = try InputFile.read(file, limit: 2 * length + 2)
        if bytes.count == length { return bytes }
        let text = String(decoding: bytes, as: UTF8.self)
        guard let line = text.split(whereSeparator: \.isNewline).first, let decoded = try? Hex.decode(line),
            decoded.count == length
        else {
            throw Failure(
                .badArgument,
                "\(TerminalText.neutralized(file)) contains no preimage: 32 bytes, or 64 hexadecimal digits.")
        }
        return decoded
    }
}
