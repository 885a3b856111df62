import Bitcoin
import TapManager
import TextLayout

/// What a CVC for signing a message is asked for. The user of a window may see nothing else of the message.
package struct MessagePurpose {
    /// After “to”: the beginning of the message in a block of its own, the address if it is known, and the key.
    package let words: String

    private static let shownLength = 200
    /// So that what follows has room, too, in a window that takes 1000 bytes.
    private static let shownBytes = 500
    /// A usual window has room for lines of this many columns.
    private static let width = 80

    /// - Parameter message: the bytes to sign, from anyone.
    package init(_ message: [UInt8], by key: MessageQuestion.Key, address: Address?) {
        let signer = (address.map { "as \($0) " } ?? "") + Self.words(key)
        guard let text = String(validating: message, as: UTF8.self) else {
            words = "sign a message of \(message.count.counted("byte")) that is not text, \(signer)"
            return
        }
        let scalars = text.unicodeScalars
        var byteCount = 0
        let beginning = scalars.prefix(Self.shownLength).prefix { scalar in
            byteCount += Self.length(scalar)
            return byteCount <= Self.shownBytes
        }
        let more = scalars.count - beginning.count
        words =
            "sign the message\n" + QuotedText(String(beginning), width: Self.width).lines.joined(separator: "\n")
            + (more > 0 ? "\nand \(more.counted("more character")), " : "\n") + signer
    }

    private static func words(_ key: MessageQuestion.Key) -> String {
        switch key {
        case .path(let path): "with the key at \(path)"
        case .slot(let slot?): "with the key of slot \(slot)"
        case .slot(nil): "with the key of the slot that was unsealed last"
        }
    }

    /// The most bytes that a window's protocol needs for a character, or for the one in its place.
    private static func length(_ scalar: Unicode.Scalar) -> Int {
        (0x20..<0x7F).contains(scalar.value) && scalar != "%" ? 1 : max(3, UTF8.width(scalar))
    }
}
