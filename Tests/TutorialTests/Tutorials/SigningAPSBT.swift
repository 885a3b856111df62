import Bitcoin
import Glibc
import SmartCard
import TapManager
import TapProtocol

/// A person at a window, who sees what would be signed, says yes or no, and types the CVC.
struct Window: Interaction {
    let isAgreed: @Sendable (TransactionReview, [Finding]) async -> Bool
    let typedCVC: @Sendable (CardIdent) async throws -> CVC

    func confirm(_ question: Question) async throws {
        switch question {
        case .sign(let question):
            guard await isAgreed(question.review, question.findings) else { throw Declined() }
        default: throw Declined()
        }
    }

    func cvc(for request: CVCRequest) async throws -> CVC {
        if let refusal = request.refusal { throw refusal.error }
        return try await typedCVC(request.card.ident)
    }

    func notice(_ notice: Notice) {
        if case .request(.layCard) = notice { print("Put the card on the reader.") }
    }
}

/// Signs the content of a PSBT file with the cards on the readers.
func sign(
    _ file: [UInt8], with readers: [any ReaderBackend], window: Window, keeping store: LocalStore,
    acceptedRoots: [PublicKey] = []
) async throws -> SigningResult {
    let psbt = try PSBT(fileContent: file)

    let manager = CardManager(
        store: store, readers: readers, interaction: window, acceptedRoots: acceptedRoots,
        clock: { UnixTime(seconds: Int64(time(nil))) })

    let signing = try await manager.sign(psbt)

    if let interruption = signing.interruption { throw interruption }
    return signing.result
}
