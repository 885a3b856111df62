import ByteCodec

extension PaymentURI {
    /// The addresses that may be paid, checked: the one in front of the query, then those under the network's key
    /// (`bc`, `tb` or `bcrt`), in their order. Each is for the same payment. Empty when there are none for the network
    /// in the query and none in front of it: the URI asks for a payment that is not on the chain.
    ///
    /// - Throws: when any of them is no address (a wrong checksum above all), or not one of `network`.
    /// Spec: BIP-321, "Bitcoin Address" and "Query Keys".
    public func addresses(on network: Network) throws(AddressError) -> [Address] {
        var texts = [addressText].compactMap(\.self)
        texts += parameters.filter { $0.name == network.humanReadablePart }.compactMap { $0.value }
        var addresses: [Address] = []
        for text in texts { addresses.append(try Address(parsing: text, network: network)) }
        return addresses
    }

    /// The URI as a QR code should hold it: scheme and address in upper case when the address is Bech32 or Bech32m.
    ///
    /// A QR code's alphanumeric mode has no lower-case letters, and takes 5.5 bits a character where bytes take 8; so
    /// the code gets smaller: 29 instead of 33 modules a side for a P2WPKH address at level M. It is safe because
    /// nothing changes its meaning: a scheme has no case (RFC 3986), Bech32 is the same in either case as long as it is
    /// not mixed, and BIP-173 asks for upper case in QR codes. The query stays as it is, for its values have a case and
    /// its keys had one in BIP-21. A Base58 address has one too and stays: then this is `description`.
    ///
    /// Spec: BIP-173, "Uppercase/lowercase"; BIP-321, "Examples".
    public var qrText: String {
        guard let addressText, (try? Bech32.decode(addressText)) != nil else { return description }
        return "BITCOIN:" + addressText.uppercased() + query
    }
}
