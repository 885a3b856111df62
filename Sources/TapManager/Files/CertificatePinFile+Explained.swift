import ExplainedErrors

extension CertificatePinFile.Unreadable: ExplainedError {
    /// What is remembered of chain servers cannot be used.
    package var code: ErrorCode { .storeDamaged }

    /// What is wrong with it.
    package var message: String { "\(path) is no list of certificates." }

    /// How to begin anew.
    package var remedy: String { "Move it away to begin anew." }

    /// The file.
    package var subject: ErrorSubject? { .file(path) }
}

extension CertificatePinFile.Lowered: ExplainedError {
    /// The server is known better than it shows now.
    package var code: ErrorCode { .chainCertificateChanged }

    /// What happened.
    package var message: String { "\(server) has proved more meanwhile." }

    /// What to do.
    package var remedy: String { "Connect again." }
}
