import ArgumentParser
import Bitcoin
import TapManager
import TapProtocol
import TapSimulator
import Terminal

/// `tapkit demo`: a complete example with a simulated card in a temporary folder.
struct DemoVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo", abstract: "A complete example with a simulated TAPSIGNER: set up, back up, sign, check.")

    @OptionGroup var options: GlobalOptions

    private struct Answer: Encodable {
        let txid: String
        let tx: String
        let simulated = true
    }

    func run() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let transaction = try await tell(in: folder)
        let hex = transaction.hexText
        options.console.answer(
            Answer(txid: transaction.id.description, tx: hex),
            ["", "The transaction (not broadcast; its coin is invented): \(transaction.id)", hex])
    }

    private func tell(in folder: TemporaryFolder) async throws -> Transaction {
        let console = options.console
        let file = folder.file("card.json")
        let record = try SimulatedCardRecord(creating: Self.cardOptions, at: file)
        console.say("1. A new TAPSIGNER is put on the reader. It is SIMULATED; a real one is used in the same way.")
        console.say("   Ident \(try record.ident); CVC \(record.cvc), printed on its back.")

        let cvcs = (printed: try CVC(record.cvc), new: try CVC("271828"))
        let manager = CardManager(
            store: MemoryStore(), readers: [SimulatedBackend(path: file)],
            interaction: DemoInteraction(console: console, cvcs: cvcs), acceptedRoots: [try record.rootKey],
            trace: options.isTracing ? Trace.write : nil, clock: UnixTime.now)
        let card = try await manager.card()
        let setup = try await manager.setUp(
            card, backup: BackupFile(path: folder.file("backup.aes"), ident: card.ident))
        let account = setup.account
        console.say("2. tapkit checks its certificates, and that it holds the certified key.")
        console.say(
            "3. The card picked its key with a chain code from this machine, and proved it: it could not choose alone.")
        console.say("   Fingerprint \(account.masterFingerprint), path \(account.path)")
        console.say(
            "4. Its backup is saved: \(setup.backup?.ciphertext.bytes.count ?? 0) bytes that only the backup key on its back decrypts."
        )
        console.say("5. Its CVC is changed, and the new one is tested.")
        for descriptor in DescriptorExport(account).descriptors {
            console.say(lines: [
                "6. A wallet watches the card's addresses with this descriptor:", "   \(descriptor)",
            ])
        }

        let psbt = try DemoCoin(account: account).psbt()
        console.say(
            "7. The wallet builds a PSBT that spends the card's coins. This is what you see before signing:")
        let signing = try await manager.sign(psbt)
        if let interruption = signing.interruption { throw interruption }
        let result = signing.result
        guard let transaction = result.transaction else { throw DemoCoin.incomplete }
        let digests = SighashCache(result.psbt.unsignedTransaction)
        for index in result.psbt.inputs.indices {
            guard try result.psbt.verifyFinalScripts(ofInput: index, using: digests) == .verified else {
                throw DemoCoin.incomplete
            }
        }
        console.say(
            "8. The card signed \(result.added.counted("input")). Every signature was checked, and the transaction is complete."
        )
        return transaction
    }

    private static var cardOptions: SimulatedCardOptions {
        var options = SimulatedCardOptions(product: .tapsigner)
        options.network = .test
        return options
    }
}

/// The example's user, who agrees to everything and knows the CVC: the printed one until the card is set up.
private struct DemoInteraction: Interaction {
    let console: Console
    let cvcs: (printed: CVC, new: CVC)

    func confirm(_ question: Question) {
        if case .sign(let question) = question { show(QuestionText(signing: question).screen.map(\.text)) }
    }

    func cvc(for request: CVCRequest) throws -> CVC {
        if let refusal = request.refusal { throw refusal.error }
        return request.purpose == .setUp ? cvcs.printed : cvcs.new
    }

    func newCVC(for card: CardAtHand, insteadOf present: CVC?) -> CVC { cvcs.new }

    func notice(_ notice: Notice) {
        if case .review(let review, let findings) = notice {
            console.say("   With the card's proven keys:")
            show(ReviewText(review, findings: findings).lines)
        }
    }

    private func show(_ lines: [String]) { for line in lines { console.say("   \(line)") } }
}
