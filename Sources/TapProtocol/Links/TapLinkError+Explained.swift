import ExplainedErrors

extension TapLinkError: ExplainedError {
    /// Distinguishes a forgery from a link that is merely malformed.
    public var code: ErrorCode { isForgery ? .forgedLink : .badLink }

    /// What is wrong.
    public var message: String {
        switch self {
        case .tooLong: "The text is longer than \(TapLink.maximumTextLength) bytes."
        case .noLink: "There is no tap link in the text."
        case .unknownHost(let host): "The link goes to \(host), which no card links to."
        case .severalLinks: "The text contains different tap links."
        case .nothingSigned(let product):
            "This is the link of a \(product.displayName) that has no key to sign it with. It proves nothing."
        case .notAPair(""): "A part of the link is empty."
        case .notAPair(let text): "A part of the link is not a name and a value: “\(Self.cut(text))”."
        case .unknownField(let name): "The link has a field that cards do not use: “\(Self.cut(name))”."
        case .wrongProduct(let product, let field):
            "A \(product.displayName)'s link has no \(field.meaning) (\(field.rawValue)); the host and the fields do not match."
        case .repeated(let field): "The link has its \(field.meaning) (\(field.rawValue)) twice."
        case .missing(let field): "The link has no \(field.meaning) (\(field.rawValue))."
        case .badValue(let field, ""): "The link's \(field.meaning) (\(field.rawValue)) is empty."
        case .badValue(let field, let value):
            "The link's \(field.meaning) (\(field.rawValue)) is “\(Self.cut(value))”; it must be \(field.form)."
        case .textAfterSignature(let text): "Something follows the link's signature: “\(Self.cut(text))”."
        case .forged: "The link is forged or altered: its signature does not match its text and the key it names."
        case .severalKeys: "The link is forged: its signature matches several keys."
        }
    }

    /// What to do about it; empty when there is nothing to add.
    public var remedy: String {
        switch self {
        case .tooLong, .severalLinks: "Give one link."
        case .noLink, .missing, .notAPair:
            "Copy the whole link."
        case .unknownHost: "Genuine cards link to getsatscard.com, satscard.com, tapsigner.com and satschip.com."
        case .nothingSigned(.satscard): "Set up the card's first slot, then tap it again."
        case .nothingSigned: "Set the card up, then tap it again."
        case .unknownField, .wrongProduct, .repeated, .badValue, .textAfterSignature:
            "Copy the link again, exactly as the card shows it."
        case .forged, .severalKeys: "Do not trust or pay to anything in it. Tap the card again."
        }
    }

    /// The link, if a part of it seems to be missing.
    public var subject: ErrorSubject? {
        switch self {
        case .noLink, .missing, .notAPair: .choice(.link)
        default: nil
        }
    }

    private static func cut(_ text: String) -> String { text.count <= 40 ? text : "\(text.prefix(40))…" }
}

extension TapLinkError: CustomStringConvertible {
    /// The message, then the remedy in parentheses.
    public var description: String { "\(message) (\(remedy))" }
}
