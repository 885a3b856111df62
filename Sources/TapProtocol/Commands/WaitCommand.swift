/// `wait`: uses up one second of the lockout that follows wrong CVCs.
///
/// Verified: the card does not report a failure. The response is the number of seconds left, `nil` if missing.
///
/// Spec: protocol, "Authentication" and "Commands".
struct WaitCommand: TapCommand {
    static let name = "wait"
    static let answersWithNonce = false

    static func authentication(for product: CardProduct) -> Authentication { .optional }

    func response(from fields: ResponseFields, in exchange: Exchange) throws(TapError) -> Int? {
        try fields.confirmSuccess()
        let seconds = try fields.authDelay()
        if seconds == nil { fields.note("`auth_delay` is missing") }
        return seconds
    }
}
