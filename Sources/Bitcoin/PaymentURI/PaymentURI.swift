/// A `bitcoin:` link: whom to pay and, where said, how much and what for.
///
/// What a URI says is text from outside. Nothing may be paid without showing it to the person first; label and message
/// may hold any character. The checksum of an address is looked at by `addresses(on:)`, for only there a network is known.
///
/// Spec: BIP-321, which replaces BIP-21.
public struct PaymentURI: Hashable, Sendable, CustomStringConvertible {
    /// The address between scheme and query, as written; `nil` when there is none. Letters and digits only.
    public let addressText: String?
    /// All parameters of the query in their order, those that are not understood included.
    public let parameters: [Parameter]
    /// How much is asked for; `nil` when the payer chooses.
    public let amount: Amount?
    /// Who is paid; text from outside.
    public let label: String?
    /// What for; text from outside.
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

    /// Reads a URI. Scheme and keys may be in any case. Parameters that are not understood are kept and mean nothing,
    /// unless their key begins with `req-`, which makes the URI invalid.
    ///
    /// Strict where money is at stake: percent-encoding, UTF-8 and characters are those of RFC 3986; the amount is
    /// exact; amount, label, message and proof of payment come at most once; there is something to pay to; and an
    /// address under `bc`, `tb` or `bcrt` has that human-readable part. There is no room for spaces around the URI.
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

    /// The URI: scheme in lower case, everything else as it was given or read.
    public var description: String { "bitcoin:" + (addressText ?? "") + query }

    /// The question mark and the parameters, or nothing.
    var query: String {
        parameters.isEmpty ? "" : "?" + parameters.map { $0.text }.joined(separator: "&")
    }
}
