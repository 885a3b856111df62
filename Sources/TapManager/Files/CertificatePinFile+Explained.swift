import ExplainedErrors

extension CertificatePinFile.Unreadable: ExplainedError {
    /// What is remembered of chain servers cannot be used.
    public var code: ErrorCode { .storeDamaged }

    /// What is wrong with it.
    public var message: String { "\(path) is no list of certificates." }

    /// How to begin anew.
    public var remedy: String { "Move it away to begin anew." }

    /// The file.
    public var subject: ErrorSubject? { .file(path) }
}

extension CertificatePinFile.Lowered: ExplainedError {
    /// The server is known better than it shows now.
    public var code: ErrorCode { .chainCertificateChanged }

    /// What happened.
    public var message: String { "\(server) has proved more meanwhile." }

    /// What to do.
    public var remedy: String { "Connect again." }
}
