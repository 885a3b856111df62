import Foundation

/// A certificate of no authority's, with its key; made with `openssl`.
public struct SelfMadeCertificate: Sendable {
    private let folder: TemporaryFolder
    /// The certificate's file (PEM).
    public var certificateFile: String { folder.path("certificate.pem") }
    /// The key's file (PEM).
    public var keyFile: String { folder.path("key.pem") }

    /// Makes one.
    /// - Parameter names: whom it is for, as in `DNS:localhost,IP:127.0.0.1`.
    public init(for names: String = "DNS:localhost,IP:127.0.0.1") async throws {
        folder = try TemporaryFolder()
        try await Subprocess.run(
            "openssl",
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
                "-subj", "/CN=tapkit tests", "-addext", "subjectAltName=\(names)", "-keyout", folder.path("key.pem"),
                "-out", folder.path("certificate.pem"),
            ]
        ).succeeded()
    }

    /// The SHA-256 of the certificate as it is sent, as `openssl` computes it: 64 lower-case digits.
    public func fingerprint() async throws -> String {
        let text = try await Subprocess.run(
            "openssl", ["x509", "-in", certificateFile, "-noout", "-fingerprint", "-sha256"]
        ).succeeded().text
        return text.split(separator: "=").last.map { $0.lowercased().filter(\.isHexDigit) } ?? ""
    }
}
