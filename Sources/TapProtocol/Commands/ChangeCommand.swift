import ByteCodec

/// `change`: a new CVC, hidden with the session key.
///
/// Verified: the card does not report a failure. There is no proof; the new CVC's first use shows it.
///
/// Spec: protocol, "Commands" and "Interruptions".
struct ChangeCommand: TapCommand {
    static let name = "change"
    static let products = CardProduct.signers

    /// The CVC from now on.
    let newCVC: CVC

    static func authentication(for product: CardProduct) -> Authentication { .required }

    func arguments(in exchange: Exchange) -> CBORMap {
        ["data": .bytes(exchange.sessionKey?.hidden(newCVC) ?? [])]
    }

    func response(from fields: ResponseFields, in exchange: Exchange) throws(TapError) {
        try fields.confirmSuccess()
    }
}
