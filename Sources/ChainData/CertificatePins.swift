import Bitcoin
import ByteCodec

/// The SHA-256 of a certificate as it is sent (DER).
public struct CertificateFingerprint: Hashable, Sendable, CustomStringConvertible {
    /// 32 bytes.
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

/// Remembers the certificates of servers that no authority vouches for, so that a change is noticed.
///
/// Called on threads that may block. A certificate that an authority vouches for needs no pin and is compared with none;
/// when it is for another host it is refused, pin or not. Only Electrum servers are pinned: there, certificates without
/// authority are usual.
public protocol CertificatePins: Sendable {
    /// The certificate seen before; `nil` for the first time.
    /// - Parameter server: `host:port`; IPv6 addresses in brackets.
    /// - Throws: when what is remembered cannot be read; then there is no connection.
    func pin(for server: String) throws -> CertificateFingerprint?

    /// Remembers a certificate at its first use.
    /// - Throws: when it cannot be kept; then there is no connection.
    func save(_ pin: CertificateFingerprint, for server: String) throws
}
