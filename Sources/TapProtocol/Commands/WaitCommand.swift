/// `wait`: passes one second of the security delay that follows wrong CVCs.
///
/// Verified: the card does not say that it failed. The answer is the seconds that are left, `nil` when it does not say.
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
