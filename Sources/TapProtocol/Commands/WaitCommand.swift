/// `wait`: passes one second of the security delay that follows wrong CVCs.
///
/// Verified: the card says that it did, and the delay left is in range.
///
/// Spec: protocol, "Authentication" and "Commands".
struct WaitCommand: TapCommand {
    static let name = "wait"
    static let answersWithNonce = false

    static func authentication(for product: CardProduct) -> Authentication { .optional }

    func response(from fields: ResponseFields, in exchange: Exchange) throws(TapError) -> Int {
        guard try fields.flag("success") else { throw fields.bad("success", "is false") }
        return try fields.integer("auth_delay", in: StatusCommand.authDelays)
    }
}
