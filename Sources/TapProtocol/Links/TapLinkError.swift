/// Why a text is not a tap link, or why a link must not be trusted. Contains texts from outside; print them with care.
///
/// Spec: protocol, "Tap link".
public enum TapLinkError: Error, Hashable, Sendable {
    /// The text is longer than `TapLink.maximumTextLength`.
    case tooLong
    /// There is no tap link in the text.
    case noLink
    /// There is no tap link in the text, but one similar to it on this host, which is not the maker's.
    case unknownHost(String)
    /// The text contains different links.
    case severalLinks
    /// The bare link of a card without a key to sign it: it proves nothing.
    case nothingSigned(CardProduct)
    /// A part of the link is not `name=value`.
    case notAPair(String)
    /// A field name that cards do not use.
    case unknownField(String)
    /// A field that this product's links do not have: one product's field with another's host.
    case wrongProduct(CardProduct, TapLinkField)
    /// A field occurs twice.
    case repeated(TapLinkField)
    /// A field is missing.
    case missing(TapLinkField)
    /// A field's value is not in the form that cards use.
    case badValue(TapLinkField, String)
    /// The link does not end with the signature.
    case textAfterSignature(String)
    /// The signature does not match this text and the key of the address or card that the link names.
    case forged
    /// Several keys match: someone searched for a link that can be read in two ways.
    case severalKeys
}

extension TapLinkError {
    /// Whether the link has the form of a card's link but fails its proof.
    public var isForgery: Bool { self == .forged || self == .severalKeys }
}
