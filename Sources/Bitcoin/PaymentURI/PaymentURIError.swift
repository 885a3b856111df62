/// Why a text is no payment URI that may be acted on.
public enum PaymentURIError: Error, Equatable, Sendable {
    /// It does not begin with `bitcoin:`, in whatever case.
    case notBitcoinScheme
    /// `bitcoin://…`: outside the grammar. What follows would be a host's name, not an address.
    case doubleSlash
    /// A byte between scheme and query that no address has.
    case addressCharacter(UInt8)
    /// A byte that must be percent-encoded in a query, or may not be there at all.
    case queryCharacter(UInt8)
    /// A percent sign without two hexadecimal digits behind it.
    case percentEncoding
    /// Percent-encoded bytes that are not UTF-8.
    case notUTF8
    /// A parameter without a key.
    case emptyKey
    /// Parameters whose keys begin with `req-` and that are not understood, in lower case: the whole URI is invalid.
    case unknownRequiredParameters([String])
    /// A parameter that may be there only once, in lower case; `req-pop` counts as `pop`.
    case repeatedParameter(String)
    /// The amount is not a decimal number of bitcoin.
    case amount(Amount.DecimalError)
    /// An address under the key of another network: the key is the address's human-readable part.
    case addressUnderOtherKey(String)
    /// Neither an address nor another payment instruction.
    case nothingToPayTo
}
