import Bitcoin
import ByteCodec
import FrontEndText
import TapManager
import TextLayout

extension QuestionText {
    /// The maximum number of lines of a message that are shown.
    static let messageLineLimit = 200

    /// Asks whether to sign a message. The message is shown after a margin, with control characters made visible.
    init(signing asked: MessageQuestion, width: Int) {
        let shown = Self.quoted(asked.message, width: width)
        lines = ["Message of \(asked.message.count.counted("byte")):"] + shown.prefix(Self.messageLineLimit)
        if shown.count > Self.messageLineLimit {
            lines.append(
                "WARNING: This is only the beginning; \(shown.count - Self.messageLineLimit) more lines are not shown.")
        }
        let label = asked.address == nil ? "Key: " : "Key:     "
        switch asked.key {
        case .path(let path): lines.append("\(label)\(path)")
        case .slot(let slot?): lines.append("\(label)slot \(slot)")
        case .slot(nil): lines.append("\(label)the slot that was unsealed last")
        }
        if let address = asked.address { lines.append("Address: \(address)\(asked.key.proofOfAddress)") }
        question = "Sign this message with card \(asked.signer.label)?"
        untouched = Self.nothingSigned
        occasion = .onTerminalOnly
    }

    /// Asks whether to sign a record of a card's key.
    init(
        recording card: CardAtHand, at path: DerivationPath, _ key: ExtendedPublicKey?, isEncrypted: Bool,
        description: String
    ) {
        lines = [
            "The card signs a record of its extended key, for the coordinator of a multisig wallet (BIP-129):",
            "  Description: \(TerminalText.neutralized(description))",
            "  Encrypted:   \(isEncrypted ? "yes, with the coordinator's token" : "no")",
            "  Path:        \(path)",
            "  Xpub:        \(key?.text ?? "the card shows it when it has the CVC")",
        ]
        question = "Sign this record with card \(card.label)?"
        untouched = Self.nothingSigned
        occasion = .onTerminalOnly
    }

    /// A message as a block: its text line by line, or its bytes if it is not text.
    private static func quoted(_ message: [UInt8], width: Int) -> [String] {
        guard let text = String(validating: message, as: UTF8.self) else {
            return ["Not text; in hexadecimal:"] + QuotedText(Hex.encode(message), width: width).lines
        }
        return text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).flatMap {
            QuotedText(String($0), width: width).lines
        }
    }
}

extension MessageQuestion.Key {
    /// How far the key's address is known before the CVC is.
    fileprivate var proofOfAddress: String {
        switch self {
        case .path: ""
        case .slot: " (the card proves it before it signs)"
        }
    }
}
