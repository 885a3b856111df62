import ByteCodec

/// Why a text is not an address, or not one for the network in use.
public enum AddressError: Error, Equatable, Sendable {
    /// It begins like a witness address but is not Bech32.
    case notBech32(Bech32.DecodingError)
    /// It does not begin like a witness address, and is not Base58Check.
    case notBase58Check(Base58Check.DecodingError)
    /// Bech32 with a human-readable part that no Bitcoin network uses.
    case unknownPrefix(String)
    /// Base58Check with a version byte that no Bitcoin address uses.
    case unknownVersion(UInt8)
    /// Base58Check with a number of bytes other than 20 after the version.
    case hashLength(Int)
    /// No witness version, or one above 16; the value found, if any.
    case witnessVersion(UInt8?)
    /// A witness program that does not have 2…40 bytes, or 20 or 32 in version 0.
    case programLength(version: UInt8, length: Int)
    /// Bech32 where the witness version requires Bech32m (BIP-350), or the other way round.
    case checksumVariant(version: UInt8)
    /// A valid address, but for other networks than the one asked for.
    case wrongNetwork(asked: Network, found: [Network])
}
