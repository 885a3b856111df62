import Bitcoin
import Glibc
import SmartCard
import TapManager
import TapProtocol

/// Shows a person what would be signed, and asks.
typealias Confirmation = @Sendable (TransactionReview, [Finding]) async -> Bool

/// Signs the content of a PSBT file with the card on a reader.
/// - Returns: `nil` when the person said no.
func sign(
    _ file: [UInt8], on reader: any CardReader, cvc: CVC, keeping store: any Store, acceptedRoots: [PublicKey] = [],
    confirm: Confirmation
) async throws -> SigningResult? {
    let psbt = try PSBT(fileContent: file)

    let card = TapCard(reader: reader)
    let ident = try await card.perform { session in session.status.ident }

    let manager = CardManager(store: store, clock: { UnixTime(seconds: Int64(time(nil))) })
    let gate = manager.gate(to: card, ident: ident, customRoots: acceptedRoots)

    let preparation = try await manager.prepareSigning(
        psbt, gate, cvc: cvc, network: nil, policy: SigningPolicy())

    let plan = preparation.plan
    guard await confirm(plan.review, plan.findings) else {
        await SignFlow(gate: gate, cvc: cvc).abandon(preparation)
        await card.disconnect()
        return nil
    }

    let outcome = await manager.sign(preparation, gate, cvc: cvc)
    await card.disconnect()
    if let interruption = outcome.interruption { throw interruption }

    return SigningResult(outcome)
}
