import ExplainedErrors

extension CertificatePinFile.Unreadable: ExplainedError {
    /// What is remembered about chain servers cannot be used.
    package var code: ErrorCode { .storeDamaged }

    /// What is wrong with it.
    package var message: String { "\(path) is not a list of certificates." }

    /// How to start over.
    package var remedy: String { "Move it away to start over." }

    /// The file.
    package var subject: ErrorSubject? { .file(path) }
}

extension CertificatePinFile.Lowered: ExplainedError {
    /// The server is known with more security than it shows now.
    package var code: ErrorCode { .chainCertificateChanged }

    /// What happened.
    package var message: String { "\(server) was verified more strictly in the meantime." }

    /// What to do.
    package var remedy: String { "Connect again." }
}
