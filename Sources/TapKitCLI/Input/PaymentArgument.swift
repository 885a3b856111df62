import Bitcoin

/// Who is paid and how much, as the user types it: `ADDRESS=AMOUNT`, the amount with its unit, or a BIP-21 link.
struct PaymentArgument {
    /// The address that is paid.
    let address: Address
    /// The amount; `nil`: everything that is left.
    let amount: Amount?
    /// The link's label for the payment; text from outside.
    let label: String?

    private static let scheme = "bitcoin:"

    private init(_ address: Address, _ amount: Amount?, label: String? = nil) {
        self.address = address
        self.amount = amount
        self.label = label
    }

    /// - Throws: `Failure`: `.badAddress`, `.wrongNetwork`, `.badAmount`, `.badPaymentURI`.
    init(_ text: String, network: Network) throws(Failure) {
        guard !text.lowercased().hasPrefix(Self.scheme) else {
            self = try Self.linked(text, network)
            return
        }
        guard let sign = text.lastIndex(of: "=") else {
            self.init(try Self.address(text, network), nil)
            return
        }
        let address = try Self.address(String(text[..<sign]), network)
        let amountText = String(text[text.index(after: sign)...])
        do throws(Amount.TextError) { self.init(address, try Amount(parsing: amountText)) } catch {
            throw Failure(error, about: "“\(amountText)” is not a valid amount")
        }
    }

    private static func linked(_ text: String, _ network: Network) throws(Failure) -> PaymentArgument {
        let uri: PaymentURI
        do throws(PaymentURIError) { uri = try PaymentURI(parsing: text) } catch { throw Failure(error) }
        // A proof of payment is never opened here: a link that requires one must not be paid (BIP-321).
        guard uri.mayBePaid(openingProofs: false) else {
            throw Failure(PaymentURIError.unknownRequiredParameters(uri.parameters.filter(\.isRequired).map(\.name)))
        }
        guard let addressText = uri.addressText else {
            throw Failure(.badPaymentURI, "The payment link has no address.")
        }
        return PaymentArgument(
            try address(addressText, network), uri.amount,
            label: [uri.label, uri.message].compactMap { $0 }.first { !$0.isEmpty })
    }

    /// An address of a network.
    /// - Throws: `Failure`: `.badAddress`, `.wrongNetwork`.
    static func address(_ text: String, _ network: Network) throws(Failure) -> Address {
        do throws(AddressError) { return try Address(parsing: text, network: network) } catch {
            let failure = Failure(error, of: text)
            guard case .wrongNetwork(_, let found) = error else { throw failure }
            // A card or wallet works on every network with its keys, and on no other.
            let other = found.first { $0.keyNetwork == network.keyNetwork }
            throw failure.advising(
                "Ask for an address on \(network)" + (other.map { ", or use --network \($0)." } ?? "."))
        }
    }
}
