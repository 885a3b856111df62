import TapManager

extension BSMSToken {
    /// The value of `--token`, or no token.
    /// - Throws: `Failure.usage`.
    init(option text: String?) throws(Failure) {
        guard let token = BSMSToken(hex: text ?? BSMSToken.none.hex) else {
            throw Failure(.usage, "--token takes 16 or 32 hexadecimal digits, or 00.")
        }
        self = token
    }
}
