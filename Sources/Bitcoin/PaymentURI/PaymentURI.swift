/// A `bitcoin:` link: whom to pay and, optionally, how much and what for.
///
/// A URI's contents are text from outside. Nothing may be paid before the user has seen it; label and message may contain any
/// character. `addresses(on:)` checks the addresses' checksums, because only there is the network known.
///
/// Spec: BIP-321, which replaces BIP-21.
public struct PaymentURI: Hashable, Sendable, CustomStringConvertible {
    /// The address between scheme and query, as written; `nil` when there is none. Letters and digits only.
    public let addressText: String?
    /// All parameters of the query in order, including those that are not understood.
    public let parameters: [Parameter]
    /// How much is requested; `nil` when the payer chooses.
    public let amount: Amount?
    /// The payee's name; text from outside.
    public let label: String?
    /// What the payment is for; text from outside.
    public let message: String?
    /// Where the payer is asked to send a proof of payment.
    public let proofOfPayment: ProofOfPayment?

    /// A request for a payment to an address.
    ///
    /// - Parameters:
    ///   - amount: how much; `nil` lets the payer choose.
    ///   - label: who is paid.
    ///   - message: what for.
    public init(address: Address, amount: Amount? = nil, label: String? = nil, message: String? = nil) {
        addressText = address.description
        parameters =
            [("amount", amount?.decimalBitcoin), ("label", label), ("message", message)].compactMap { key, value in
                value.map { Parameter(key: key, value: $0) }
            }
        self.amount = amount
        self.label = label
        self.message = message
        proofOfPayment = nil
    }

    /// Reads a URI. Scheme and keys are case-insensitive. Parameters that are not understood are kept and ignored, unless
    /// their key starts with `req-`, which makes the URI invalid.
    ///
    /// Strict where money is at stake. Percent-encoding, UTF-8 and characters follow RFC 3986. The amount is exact. Amount,
    /// label, message and proof of payment appear at most once. There must be something to pay to, and an address under
    /// `bc`, `tb` or `bcrt` must have that human-readable part. No spaces are allowed around the URI.
    public init(parsing text: some StringProtocol) throws(PaymentURIError) {
        let bytes = Array(text.utf8)
        let scheme = Array("bitcoin:".utf8)
        guard bytes.prefix(scheme.count).map(\.asciiLowercased) == scheme else { throw .notBitcoinScheme }
        let rest = bytes.dropFirst(scheme.count)
        guard !rest.starts(with: "//".utf8) else { throw .doubleSlash }
        let question = rest.firstIndex(of: UInt8(ascii: "?")) ?? rest.endIndex
        let body = rest[..<question]
        if let stranger = body.first(where: { !PercentEncoding.isAlphanumeric($0) }) {
            throw .addressCharacter(stranger)
        }
        addressText = body.isEmpty ? nil : String(decoding: body, as: UTF8.self)
        parameters = try Self.parameters(of: rest[question...].dropFirst())
        try Self.check(parameters)
        guard addressText != nil || parameters.contains(where: { Self.instructions.contains($0.name) }) else {
            throw .nothingToPayTo
        }
        do { amount = try Self.amount(in: parameters) } catch { throw .amount(error) }
        label = Self.text("label", in: parameters)
        message = Self.text("message", in: parameters)
        proofOfPayment = ProofOfPayment(in: parameters)
    }

    /// The URI: scheme in lower case, everything else as given or read.
    public var description: String { "bitcoin:" + (addressText ?? "") + query }

    /// The question mark and the parameters, or nothing.
    var query: String {
        parameters.isEmpty ? "" : "?" + parameters.map { $0.text }.joined(separator: "&")
    }
}
