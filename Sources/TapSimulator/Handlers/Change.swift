import Bitcoin
import ByteCodec

/// `change`: a new CVC.
///
/// Spec: protocol, "Commands", `change`.
enum ChangeHandler: CommandHandler {
    static let name = "change"
    static let products: Set<SimulatedProduct> = [.tapsigner, .satschip]

    static func authentication(on product: SimulatedProduct) -> AuthenticationNeed { .required }

    static func answer(
        _ request: CardRequest, session: SessionKey?, card: inout CardCore
    ) throws(CardFault) -> CBORMap {
        let hidden = try request.bytes("data", length: 6...32)
        guard let session else { throw .needsAuth }
        var cvc = session.masking(hidden)
        defer { cvc.wipe() }
        let isAllDigits = cvc.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard isAllDigits || !card.state.version.wantsDigitsInCVC else { throw .badArguments }
        if case .tapsigner(let signer) = card.state.content, signer.backups == 0 { throw .backupFirst }
        card.state.cvc = StoredSecret(cvc)
        return ["success": .bool(true)]
    }
}
