import TapManager

/// What `registerdescriptor` answered, as other commands take it.
enum HWIRegistration {
    /// - Throws: `RegistrationError`, `WalletError` for what is not a registration, or not one of a tap card.
    static func read(_ text: String) throws -> RegistrationText {
        let registration = try RegistrationText(parsing: text)
        guard HWIDevice.isKnown(type: registration.device) else {
            throw RegistrationError.otherDevice(registration.device)
        }
        try registration.requireSigned()
        return registration
    }
}
