import Bitcoin
import ByteCodec

/// The SHA-256 fingerprint of a certificate (DER).
public struct CertificateFingerprint: Hashable, Sendable, CustomStringConvertible {
    /// SHA-256 of the whole DER encoding, 32 bytes.
    public let bytes: [UInt8]

    /// Takes 32 bytes; `nil` for any other count.
    public init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count == SHA256.digestLength else { return nil }
        self.bytes = Array(bytes)
    }

    /// Reads 64 hexadecimal digits; `nil` for anything else.
    public init?(parsing text: some StringProtocol) {
        guard let bytes = try? Hex.decode(text) else { return nil }
        self.init(bytes)
    }

    /// The fingerprint of a certificate.
    init(certificate: [UInt8]) { bytes = SHA256.hash(certificate) }

    /// Sixty-four lower-case hexadecimal digits.
    public var description: String { Hex.encode(bytes) }
}

/// Remembers how each server proved its identity, so that weaker proof is never accepted later.
///
/// Called on threads that may block. A certificate that an authority vouches for is not compared with earlier ones; if it is
/// for a different host it is rejected. Certificates without an authority are accepted only from Electrum servers, where they
/// are usual, and only if the server never had a different one.
public protocol CertificatePins: Sendable {
    /// How a server proved its identity last time; `nil` the first time.
    /// - Parameter server: `host:port`, IPv6 addresses in brackets; for servers with a URL, the part
    ///   between scheme and path, in lower case.
    /// - Throws: when the stored pin cannot be read; then no connection is made.
    func trust(in server: String) throws -> ServerTrust?

    /// Stores how a server proves its identity from now on.
    /// - Throws: when it cannot be stored, or stronger proof was stored meanwhile; then no connection is made.
    func save(_ trust: ServerTrust, in server: String) throws
}
