/// Why a text is no tap link, or why a link is not to be believed. Texts in it come from outside; print them with care.
///
/// Spec: protocol, "Tap link".
public enum TapLinkError: Error, Hashable, Sendable {
    /// The text is longer than `TapLink.maximumTextLength`.
    case tooLong
    /// There is no tap link in the text.
    case noLink
    /// There is no tap link in the text, but one like it to this host, which is not the maker's.
    case unknownHost(String)
    /// The text holds different links.
    case severalLinks
    /// The bare link of a card that has nothing to sign: it proves nothing.
    case nothingSigned(CardProduct)
    /// A part of the link is no `name=value`.
    case notAPair(String)
    /// A field whose name no card's link would have.
    case unknownField(String)
    /// A field that this product's links do not have: fields of one product under the host of another.
    case wrongProduct(CardProduct, TapLinkField)
    /// A field is there twice.
    case repeated(TapLinkField)
    /// A field is missing.
    case missing(TapLinkField)
    /// A field's value is not as cards write it.
    case badValue(TapLinkField, String)
    /// The signature is not the end of the link.
    case textAfterSignature(String)
    /// The signature is not one over this text by the key of the address or the card that the link names.
    case forged
    /// Several keys fit: somebody searched for a link that can be read in two ways.
    case severalKeys
}

extension TapLinkError: CustomStringConvertible {
    /// Whether the link has the form of a card's, and its proof failed.
    public var isForgery: Bool { self == .forged || self == .severalKeys }

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
    public var hint: String {
        switch self {
        case .tooLong, .severalLinks: "Give one link."
        case .noLink, .missing, .notAPair:
            "Copy the whole link, and put it in quotes: without them, a shell ends it at the first &."
        case .unknownHost: "Cards link to getsatscard.com, satscard.com, tapsigner.com and satschip.com."
        case .nothingSigned: "Open the card's first slot, and tap it again."
        case .unknownField, .wrongProduct, .repeated, .badValue, .textAfterSignature:
            "Copy the link again as the card gave it."
        case .forged, .severalKeys: "Believe nothing that it says, and pay nothing to it. Tap the card again."
        }
    }

    /// The message, then the hint in brackets.
    public var description: String { hint.isEmpty ? message : "\(message) (\(hint))" }

    private static func cut(_ text: String) -> String { text.count <= 40 ? text : "\(text.prefix(40))…" }
}
