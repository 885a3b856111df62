import AnswerDocuments
import Bitcoin
import QRCodes
import TapManager
import Terminal
import TextLayout

/// Reads a PSBT, and writes and shows the signed result, whoever signs.
struct SigningJob {
    private let console: Console
    private let isExtracting: Bool
    private let isFinalizing: Bool
    private let registrations: [String]
    private let target: SigningTarget
    private let transfer: QRTransfer?

    /// - Parameters:
    ///   - isExtracting: whether the transaction is the answer.
    ///   - isFinalizing: whether complete inputs are finalized in the result.
    ///   - registrations: the files of the registrations without which nothing is signed, for the next card, too.
    ///   - transfer: QR codes of the result to draw.
    init(
        _ console: Console, _ target: SigningTarget, isExtracting: Bool, isFinalizing: Bool = true,
        registrations: [String] = [], transfer: QRTransfer? = nil
    ) {
        self.isFinalizing = isFinalizing
        self.registrations = registrations
        self.console = console
        self.target = target
        self.isExtracting = isExtracting
        self.transfer = transfer
    }

    /// The PSBT, with the signatures from earlier runs.
    func read() throws(Failure) -> PSBT { try target.read() }

    /// Checks, before the card signs, that the result can be written.
    func checkWritable() throws(Failure) { try target.checkWritable() }

    /// Has cards sign, then writes and shows the result.
    func sign(_ invocation: Invocation, by sign: (PSBT) async throws -> SigningReport) async throws {
        let psbt = try read()
        try checkWritable()
        let report = try await invocation.during { try await sign(psbt) }
        try finish(SigningOutcome(report: report))
    }

    /// Writes the signed PSBT.
    /// - Throws: `Failure.cannotWrite`, with the PSBT.
    func save(_ result: SigningResult) throws(Failure) {
        do throws(Failure) { try target.write(result.psbt) } catch { throw error.rescuing(result.psbt) }
    }

    /// Writes the signed PSBT, and shows how far it got.
    /// - Throws: `Failure`: `.cannotWrite`, `.notComplete` with `--extract`, and the interruption.
    func finish(_ signingEnd: SigningOutcome) throws(Failure) {
        var end = signingEnd
        if !isFinalizing { end.report.result = end.result.withoutFinalizing() }
        let result = end.result
        do throws(Failure) { try save(result) } catch {
            guard end.report.isKept, result.added > 0 else { throw error }
            throw error.hinting(Self.isKeptText)
        }
        if let interruption = end.report.interruption {
            throw incomplete(Failure(unexpected: interruption).withoutRest, end, extent: end.report.extent)
                .prefixed("", hint: "Run the same command again to continue.")
        }
        if isExtracting, result.transaction == nil {
            let missing = Failure(
                .notComplete,
                "The transaction cannot be extracted: signatures are missing, or a script is unknown to tapkit.",
                hint: "Pass the signed PSBT on to the other signers.")
            let tally = SignatureTally(result.signedPSBT)
            throw incomplete(missing, end, extent: (tally.present, tally.present + tally.missing))
        }
        let content = QRContent(end.result, isExtracting: isExtracting)
        // What was signed is not lost with a picture of it.
        let files: [String]?
        do throws(Failure) { files = try transfer?.write(content) } catch {
            throw isSaved(end) ? error : error.rescuing(result.psbt)
        }
        answer(end, qrFiles: files)
        let hasAnswer = target.isPrinted || isExtracting
        try transfer?.show(content, files, on: console, hasAnswer: hasAnswer)
        guard !Console.hasLostOutput else { throw .lostOutput }
    }

    /// A failure that says how far signing got and where the result is. If it is not saved anywhere, the failure
    /// includes it.
    private func incomplete(_ failure: Failure, _ end: SigningOutcome, extent: (done: Int, total: Int)) -> Failure {
        let isInStore = target.isStored && end.report.isKept
        let place = target.outputName.map { ", saved in \($0)" } ?? (isInStore ? ", saved in the local store" : "")
        var failure = failure.prefixed("\(extent.done) of \(extent.total) signed\(place). ")
        failure.progress = Failure.Progress(done: extent.done, total: extent.total, savedFile: target.outputName)
        return isSaved(end) ? failure : failure.rescuing(end.result.psbt)
    }

    /// Whether the result is in a file or in the store.
    private func isSaved(_ end: SigningOutcome) -> Bool {
        !target.isPrinted && (target.outputName != nil || end.report.isKept)
    }

    /// What a file that cannot be written does not lose.
    private static let isKeptText =
        "What was signed is kept in the local store: the same command with another file writes it."

    private func answer(_ end: SigningOutcome, qrFiles: [String]?) {
        let result = end.result
        if console.isJSON {
            JSONAnswer.write(
                SigningDocument(end, file: target.outputName, isStored: target.isStored, qrFiles: qrFiles))
            return
        }
        let nothingNew = end.sentTo == nil ? "Already signed; nothing to do." : "Already signed."
        console.note(result.added == 0 ? nothingNew : "Signed \(Self.count(result.added, in: result)).")
        if let file = target.outputName { console.note("Saved to \(file).") }
        let shown = result.transaction.map { "Complete: transaction \($0.id)." }
        for signer in end.report.signers where signer.signed > 0 {
            let slots = (signer.slots ?? []).map(\.description).joined(separator: ", ")
            let key = signer.fingerprint?.description ?? "slot \(slots)"
            console.note("  \(signer.card) (\(key)): \(Self.count(signer.signed, in: result))")
        }
        if let server = end.sentTo { console.note("Sent, according to \(server).") }
        console.note(shown ?? Self.incompleteText(SignatureTally(result.psbt)))
        // What was signed earlier, from a file, may have been deleted from the store since.
        let isStored = end.report.isKept && (target.isStored || result.added > 0)
        if isStored, end.sentTo == nil, let next = nextStep(result) { console.note("Stored. Next: \(next)") }
        if isExtracting, let transaction = result.transaction {
            console.say(transaction.hexText)
        } else if target.isPrinted {
            target.print(result.psbt)
        }
    }

    /// What was signed; in inputs, unless one got several signatures.
    private static func count(_ signatures: Int, in result: SigningResult) -> String {
        let inputs = result.psbt.inputs.count
        guard result.added > inputs else { return signatures.counted("input") }
        return "\(inputs.counted("input")) with \(signatures.counted("signature"))"
    }

    /// What to do with a stored result; `nil` if tapkit cannot continue.
    private func nextStep(_ result: SigningResult) -> String? {
        let id = result.psbt.unsignedTransaction.id.abbreviated
        guard result.transaction == nil else { return "tapkit tx broadcast \(id)" }
        guard SignatureTally(result.psbt).missing > 0 else { return nil }
        let demands = registrations.map { " --registration \(TerminalText.neutralized(ShellWord.quoted($0)))" }
        return "tapkit tx sign \(id)\(demands.joined()) with the next card, or pass the PSBT on to the other signers"
    }

    private static func incompleteText(_ tally: SignatureTally) -> String {
        guard tally.missing > 0, !tally.canSign.isEmpty else {
            return "Not complete: signatures are missing, or a script is unknown to tapkit."
        }
        let others = tally.canSign.map(\.description).joined(separator: " or ")
        return "Not complete: signed by \(tally.signedBy.count) of \(tally.threshold); "
            + "\(tally.missing.counted("signature")) missing, from \(others)."
    }
}

extension Failure {
    /// The same failure for a task of which a part is done: that nothing was done would be false.
    fileprivate var withoutRest: Failure { saysWhatIsUndone ? retold(Self.cancelled) : self }
}

extension QRContent {
    /// The result of signing: the PSBT, or the transaction if that is the answer.
    fileprivate init(_ result: SigningResult, isExtracting: Bool) {
        if isExtracting, let transaction = result.transaction {
            self.init(transaction)
        } else {
            self.init(result.psbt)
        }
    }
}
