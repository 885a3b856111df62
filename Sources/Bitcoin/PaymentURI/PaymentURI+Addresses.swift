import ByteCodec

extension PaymentURI {
    /// The addresses that can be paid, checked: the one before the query, then those under the network's key (`bc`, `tb` or
    /// `bcrt`), in order. All are for the same payment. Empty when the query has none for the network and none precedes it:
    /// then the URI asks for a payment that is not on the chain.
    ///
    /// - Throws: when any of them is not a valid address (such as a wrong checksum), or not on `network`.
    /// Spec: BIP-321, "Bitcoin Address" and "Query Keys".
    public func addresses(on network: Network) throws(AddressError) -> [Address] {
        var texts = [addressText].compactMap(\.self)
        texts += parameters.filter { $0.name == network.humanReadablePart }.compactMap { $0.value }
        var addresses: [Address] = []
        for text in texts { addresses.append(try Address(parsing: text, network: network)) }
        return addresses
    }

    /// The URI as it should be in a QR code: scheme and address in upper case when the address is Bech32 or Bech32m.
    ///
    /// A QR code's alphanumeric mode has no lower-case letters, and takes 5.5 bits per character where bytes take 8, so the
    /// code gets smaller: 29 instead of 33 modules per side for a P2WPKH address at level M. This is safe because nothing
    /// changes its meaning: schemes are case-insensitive (RFC 3986), Bech32 is the same in either case unless mixed, and
    /// BIP-173 recommends upper case in QR codes. The query stays as it is, because its values are case-sensitive and its
    /// keys were in BIP-21. A Base58 address is case-sensitive too and stays: then this equals `description`.
    ///
    /// Spec: BIP-173, "Uppercase/lowercase"; BIP-321, "Examples".
    public var qrText: String {
        guard let addressText, (try? Bech32.decode(addressText)) != nil else { return description }
        return "BITCOIN:" + addressText.uppercased() + query
    }
}
