import TapManager

extension BSMSToken {
    /// What `--token` was given, or none.
    /// - Throws: `Failure.usage`.
    init(option text: String?) throws(Failure) {
        guard let token = BSMSToken(hex: text ?? BSMSToken.none.hex) else {
            throw Failure(.usage, "--token has 16 or 32 hexadecimal digits, or is 00.")
        }
        self = token
    }
}
