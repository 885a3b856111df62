/// Why a text is not a payment URI that can be used.
public enum PaymentURIError: Error, Equatable, Sendable {
    /// It does not begin with `bitcoin:`, in any case.
    case notBitcoinScheme
    /// `bitcoin://…`: not in the grammar. What follows would be a host name, not an address.
    case doubleSlash
    /// A byte between scheme and query that addresses do not contain.
    case addressCharacter(UInt8)
    /// A byte that must be percent-encoded in a query, or is not allowed at all.
    case queryCharacter(UInt8)
    /// A percent sign without two hexadecimal digits after it.
    case percentEncoding
    /// Percent-encoded bytes that are not UTF-8.
    case notUTF8
    /// A parameter without a key.
    case emptyKey
    /// Parameters whose keys start with `req-`, in lower case, and that are unknown, or that the program that would pay does
    /// not support: to it, the whole URI is invalid.
    case unknownRequiredParameters([String])
    /// A parameter that may appear only once, in lower case; `req-pop` counts as `pop`.
    case repeatedParameter(String)
    /// The amount is not a decimal number of bitcoin.
    case amount(Amount.DecimalError)
    /// An address under the key of another network: the key is the address's human-readable part.
    case addressUnderOtherKey(String)
    /// Neither an address nor another payment instruction.
    case nothingToPayTo
}

extension PaymentURIError: CustomStringConvertible {
    /// What is wrong, for people. Parameter keys are text from outside.
    public var description: String {
        switch self {
        case .notBitcoinScheme: "it does not start with “bitcoin:”"
        case .doubleSlash: "two slashes follow “bitcoin:”"
        case .addressCharacter(let byte): "the address has a character (byte \(byte)) that is not allowed in addresses"
        case .queryCharacter(let byte):
            "a character (byte \(byte)) after the question mark must be percent-encoded"
        case .percentEncoding: "a percent sign is not followed by two hexadecimal digits"
        case .notUTF8: "its percent-encoded text is not UTF-8"
        case .emptyKey: "a parameter has no name"
        case .unknownRequiredParameters(let keys):
            "it requires parameters that this program does not support: \(keys.joined(separator: ", "))"
        case .repeatedParameter(let key): "the parameter \(key) appears twice"
        case .amount(.empty): "its amount has no digits"
        case .amount(.notDecimal): "its amount is not a decimal number of bitcoin"
        case .amount(.belowOneSatoshi): "its amount is more precise than one satoshi"
        case .amount(.aboveMaximum): "its amount is above 21 million BTC"
        case .addressUnderOtherKey(let key): "the key \(key) has an address on a different network"
        case .nothingToPayTo: "it has no address"
        }
    }
}
