import ByteCodec
import TapManager

extension QuestionText {
    /// So many lines of a message are shown at most.
    static let messageLineLimit = 200

    /// Whether a message is signed. The message stands behind a margin, with all that a terminal would obey made visible.
    init(signing asked: MessageQuestion, width: Int) {
        let shown = Self.quoted(asked.message, width: width)
        lines = ["Message of \(asked.message.count.counted("byte")):"] + shown.prefix(Self.messageLineLimit)
        if shown.count > Self.messageLineLimit {
            lines.append(
                "WARNING: That is only the beginning; \(shown.count - Self.messageLineLimit) more lines are not shown.")
        }
        switch asked.key {
        case .path(let path): lines.append("Key:     \(path)")
        case .slot(let slot?): lines.append("Key:     slot \(slot)")
        case .slot(nil): lines.append("Key:     the slot that was opened last")
        }
        if let address = asked.address { lines.append("Address: \(address)") }
        question = "Sign this message with card \(asked.signer.label)?"
        occasion = .onTerminalOnly
    }

    /// A message as a block: its text line by line, or its bytes where it is no text.
    private static func quoted(_ message: [UInt8], width: Int) -> [String] {
        guard let text = String(validating: message, as: UTF8.self) else {
            return ["It is no text; in hexadecimal:"] + QuotedText(Hex.encode(message), width: width).lines
        }
        return text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).flatMap {
            QuotedText(String($0), width: width).lines
        }
    }
}
