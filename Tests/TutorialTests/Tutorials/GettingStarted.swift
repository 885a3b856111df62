import CardReaders
import Glibc
import TapManager

/// The person at the terminal.
struct Terminal: Interaction {
    func confirm(_ question: Question) throws {
        guard case .sign(let asked) = question, case .card(let card) = asked.signer else { throw Declined() }
        for output in asked.review.outputs where !output.isProvenChange {
            print("It pays \(output.amount) to \(output.address?.description ?? "a script").")
        }
        print("The fee is \(asked.review.fee.fee).")
        for finding in asked.findings { print(finding.message) }
        print("Sign it with \(card.ident)? [y/N]")
        guard readLine() == "y" else { throw Declined() }
    }

    func cvc(for request: CVCRequest) throws -> CVC {
        if let refusal = request.refusal { print(refusal.error.message) }
        guard let typed = getpass("CVC of \(request.card.ident): ") else { throw Declined() }
        defer { memset(typed, 0, strlen(typed)) }
        var digits = Array(UnsafeRawBufferPointer(start: typed, count: strlen(typed)))
        return try CVC(SecretBytes(moving: &digits))
    }

    func notice(_ notice: Notice) { if case .request(.layCard) = notice { print("Put the card on the reader.") } }
}

/// A manager over a folder, for whatever reader is attached.
func openManager(in folder: String) throws -> CardManager {
    CardManager(
        store: try .file(in: folder, clock: UnixTime.now), readers: [PCSCBackend(), NFCBackend()],
        interaction: Terminal(), patience: .limited(.seconds(60)), clock: UnixTime.now)
}

/// Shows which card is on the reader, and signs the content of a PSBT file with it.
func signWithTheCard(_ manager: CardManager, _ file: [UInt8]) async throws -> [UInt8] {
    let card = try await manager.card()
    let proof = try await manager.prove(card)
    print("\(card.status.product.displayName) \(card.ident): \(proof.verdict.isGenuine ? "genuine" : "NOT genuine")")
    let signing = try await manager.sign(try PSBT(fileContent: file), on: card, expecting: nil)
    if let interruption = signing.interruption { throw interruption }
    return signing.result.psbt.serialized()
}
