import ExplainedErrors

extension TapLinkError: ExplainedError {
    /// A forgery is told apart from a link that is only written badly.
    public var code: ErrorCode { isForgery ? .forgedLink : .badLink }

    /// What is wrong.
    public var message: String {
        switch self {
        case .tooLong: "The text is longer than \(TapLink.maximumTextLength) bytes."
        case .noLink: "There is no tap link in the text."
        case .unknownHost(let host): "The link is to \(host), which no card's link is."
        case .severalLinks: "The text holds different tap links."
        case .nothingSigned(let product):
            "The link is the bare one of a \(product.displayName) that has nothing to sign. It proves nothing."
        case .notAPair(""): "A part of the link is empty."
        case .notAPair(let text): "A part of the link is no name and value: “\(Self.cut(text))”."
        case .unknownField(let name): "The link has a field that no card's link has: “\(Self.cut(name))”."
        case .wrongProduct(let product, let field):
            "A \(product.displayName)'s link has no \(field.meaning) (\(field.rawValue)); host and fields do not agree."
        case .repeated(let field): "The link has its \(field.meaning) (\(field.rawValue)) twice."
        case .missing(let field): "The link has no \(field.meaning) (\(field.rawValue))."
        case .badValue(let field, ""): "The link's \(field.meaning) (\(field.rawValue)) is empty."
        case .badValue(let field, let value):
            "The link's \(field.meaning) (\(field.rawValue)) is “\(Self.cut(value))”; it must be \(field.form)."
        case .textAfterSignature(let text): "Something follows the link's signature: “\(Self.cut(text))”."
        case .forged: "The link is forged or was changed: its signature is not one over its text by the key it names."
        case .severalKeys: "The link is forged: it can be read as one of several keys."
        }
    }

    /// What to do about it; empty when there is nothing to add.
    public var remedy: String {
        switch self {
        case .tooLong, .severalLinks: "Give one link."
        case .noLink, .missing, .notAPair:
            "Copy the whole link."
        case .unknownHost: "Cards link to getsatscard.com, satscard.com, tapsigner.com and satschip.com."
        case .nothingSigned: "Unseal the card's first slot, and tap it again."
        case .unknownField, .wrongProduct, .repeated, .badValue, .textAfterSignature:
            "Copy the link again as the card gave it."
        case .forged, .severalKeys: "Believe nothing that it says, and pay nothing to it. Tap the card again."
        }
    }

    /// The link, where a part of it seems to be missing.
    public var subject: ErrorSubject? {
        switch self {
        case .noLink, .missing, .notAPair: .choice(.link)
        default: nil
        }
    }

    private static func cut(_ text: String) -> String { text.count <= 40 ? text : "\(text.prefix(40))…" }
}

extension TapLinkError: CustomStringConvertible {
    /// The message, then the remedy in brackets.
    public var description: String { "\(message) (\(remedy))" }
}
