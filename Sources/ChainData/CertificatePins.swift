import Bitcoin
import ByteCodec

/// The SHA-256 of a certificate as it is sent (DER).
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

/// Remembers how each server was known to be itself, so that it is never taken for itself by less.
///
/// Called on threads that may block. A certificate that an authority vouches for is compared with no earlier one; when it
/// is for another host it is refused. Certificates without authority are taken of Electrum servers only, where they are
/// usual, and only of those that never had another.
public protocol CertificatePins: Sendable {
    /// How a server was known the last time; `nil` for the first time.
    /// - Parameter server: `host:port`, IPv6 addresses in brackets; for servers with an address (URL) what stands there
    ///   between the scheme and the path, in small letters.
    /// - Throws: when what is remembered cannot be read; then there is no connection.
    func trust(in server: String) throws -> ServerTrust?

    /// Remembers how a server is known from now on.
    /// - Throws: when it cannot be kept, or the server is known by more meanwhile; then there is no connection.
    func save(_ trust: ServerTrust, in server: String) throws
}
