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

extension TapLinkError {
    /// Whether the link has the form of a card's, and its proof failed.
    public var isForgery: Bool { self == .forged || self == .severalKeys }
}
