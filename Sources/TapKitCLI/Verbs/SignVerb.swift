import ArgumentParser
import Bitcoin
import ByteCodec
import Glibc
import TapManager
import TapProtocol

/// `tapkit sign`: signs a PSBT with the card on the reader.
struct SignVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign", abstract: "Sign a PSBT with the card.",
        discussion: """
            Shows the transaction, asks, signs every input that is the card's, checks each signature, and finalizes what \
            is complete. Interrupted, it keeps what is signed: run the same command again to go on.
            """)

    @OptionGroup var options: GlobalOptions

    @Argument(help: "The PSBT: binary, Base64 or hexadecimal; - for standard input.")
    var file: String

    @Option(
        name: [.customShort("o"), .customLong("output")],
        help: ArgumentHelp(
            "Where the signed PSBT goes; - for standard output, where the transaction of --extract takes its place. "
                + "Default: FILE with .signed before its ending.",
            valueName: "out"))
    var output: String?

    @Flag(help: "Also print the complete transaction, ready to broadcast; fails when signatures are missing.")
    var extract = false

    @Flag(help: "Refuse inputs whose amount is not proven by their previous transaction.")
    var strict = false

    @Flag(help: "Sign hash types other than ALL, with a warning.")
    var allowSighash = false

    func run() async throws {
        let console = options.console
        guard !(file == "-" && options.cvcOptions.readsStandardInput) else {
            throw Failure(.usage, "The PSBT and the CVC cannot both come from standard input.")
        }
        let network = try options.network()
        let target = SignedFile(input: file, output: output)
        let psbt = try target.read()
        let card = try await UnlockedCard.open(options, task: "sign a PSBT")
        let flow = SignFlow(gate: card.gate, cvc: card.cvc)
        var policy = SigningPolicy()
        policy.requiresProvenAmounts = strict
        policy.allowsOtherSighashes = allowSighash

        let preparation = try await card.progress.during {
            () throws(FlowError) in try await flow.prepare(psbt, network: network, policy: policy)
        }
        let plan = preparation.plan
        for line in ReviewText(plan.review, findings: plan.findings).lines { console.note(line) }
        if plan.signatureCount > 0 {
            do throws(Failure) {
                try target.checkWritable()
                try Confirmation.require(
                    "Sign \(plan.signatureCount) input\(plan.signatureCount == 1 ? "" : "s") with card \(card.access.label)?",
                    isGiven: options.isConfirmed)
            } catch {
                await flow.abandon(preparation)
                throw error
            }
        }
        let outcome = await flow.sign(preparation)
        card.progress.clear()
        let result = SigningResult(outcome)
        if let path = outcome.strandedPath {
            console.note("The card was left at path \(path); its own is \(preparation.originalPath) (tapkit derive).")
        }
        do throws(Failure) { try target.write(result.psbt) } catch { throw error.rescuing(result.psbt) }
        if let interruption = outcome.interruption {
            throw incomplete(Failure(interruption), result, plan: plan, target: target)
                .prefixed("", hint: "Run the same command again to go on.")
        }
        if extract, result.transaction == nil {
            let missing = Failure(
                .notComplete,
                "There is no transaction to extract: signatures of others are missing, or a script is unknown.",
                hint: "Pass the signed PSBT on to the other signers.")
            throw incomplete(missing, result, plan: plan, target: target)
        }
        answer(result, plan: plan, target: target, isSimulated: card.isSimulated)
    }

    /// A failure that tells how far the signing came and where its result is.
    private func incomplete(
        _ failure: Failure, _ result: SigningResult, plan: SigningPlan, target: SignedFile
    ) -> Failure {
        let (done, total) = (plan.presentCount + result.added, plan.presentCount + plan.signatureCount)
        let place = target.outputName.map { ", kept in \($0)" } ?? ""
        var failure = failure.prefixed("\(done) of \(total) signed\(place). ")
        failure.progress = Failure.Progress(done: done, total: total, savedFile: target.outputName)
        return target.outputName == nil ? failure.rescuing(result.psbt) : failure
    }

    private func answer(_ result: SigningResult, plan: SigningPlan, target: SignedFile, isSimulated: Bool) {
        if options.isJSON {
            JSONAnswer.write(
                SigningDocument(
                    result: result, review: plan.review, findings: plan.findings, file: target.outputName,
                    isSimulated: isSimulated))
            return
        }
        let console = options.console
        console.note("Signed \(result.added) input\(result.added == 1 ? "" : "s").")
        if let file = target.outputName { console.note("Written to \(file).") }
        let shown = result.transaction.map { "Complete: transaction \($0.id)." }
        console.note(shown ?? "Not complete: signatures of others are missing, or a script is unknown to tapkit.")
        if extract, let transaction = result.transaction {
            console.say(Hex.encode(transaction.serialized()))
        } else if target.outputName == nil {
            SignedFile.print(result.psbt)
        }
    }
}
