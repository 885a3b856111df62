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

extension PaymentURIError: CustomStringConvertible {
    /// What is wrong, for people. Keys of parameters are text from outside.
    public var description: String {
        switch self {
        case .notBitcoinScheme: "it does not begin with “bitcoin:”"
        case .doubleSlash: "two slashes follow “bitcoin:”"
        case .addressCharacter(let byte): "a character (byte \(byte)) stands in the address that no address has"
        case .queryCharacter(let byte):
            "a character (byte \(byte)) stands behind the question mark that must be encoded"
        case .percentEncoding: "a percent sign has no two hexadecimal digits behind it"
        case .notUTF8: "what is encoded in it is no UTF-8"
        case .emptyKey: "a parameter has no name"
        case .unknownRequiredParameters(let keys):
            "it asks for what this program does not know: \(keys.joined(separator: ", "))"
        case .repeatedParameter(let key): "the parameter \(key) is there twice"
        case .amount(.empty): "its amount has no digits"
        case .amount(.notDecimal): "its amount is no decimal number of bitcoin"
        case .amount(.belowOneSatoshi): "its amount has decimals beyond satoshis"
        case .amount(.aboveMaximum): "its amount is above 21 000 000 BTC"
        case .addressUnderOtherKey(let key): "an address stands under the key \(key) of another network"
        case .nothingToPayTo: "it has no address"
        }
    }
}
