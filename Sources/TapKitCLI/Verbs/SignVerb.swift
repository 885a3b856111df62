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
    @OptionGroup var cvcOptions: CVCOptions

    @Argument(help: "The PSBT: binary, Base64 or hexadecimal; - for standard input.")
    var file: String

    @Option(
        name: [.customShort("o"), .customLong("output")],
        help: ArgumentHelp(
            "Where the signed PSBT goes; - for standard output. Default: FILE with .signed before its ending.",
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
        guard !(file == "-" && cvcOptions.readsStandardInput) else {
            throw Failure(.usage, "The PSBT and the CVC cannot both come from standard input.")
        }
        let target = try SignedFile(input: file, output: output)
        let psbt = try target.read()
        let access = try await CardAccess.open(options)
        let progress = ProgressLine(console)
        let gate = try access.gate(options) { progress.show($0) }
        let flow = SignFlow(gate: gate, cvc: try cvcOptions.cvc(for: access.label))
        var policy = SigningPolicy()
        policy.requiresProvenAmounts = strict
        policy.allowsOtherSighashes = allowSighash

        let preparation = try await progress.during {
            () throws(FlowError) in try await flow.prepare(psbt, network: try? options.network(), policy: policy)
        }
        let plan = preparation.plan
        for line in ReviewText(plan.review, findings: plan.findings).lines { console.note(line) }
        if plan.signatureCount > 0 {
            do throws(Failure) {
                try target.checkWritable()
                try Confirmation.require(
                    "Sign \(plan.signatureCount) input\(plan.signatureCount == 1 ? "" : "s") with card \(access.label)?",
                    isGiven: options.isConfirmed)
            } catch {
                await flow.abandon(preparation)
                throw error
            }
        }
        let outcome = await flow.sign(preparation)
        progress.clear()
        let result = SigningResult(outcome)
        try target.write(result.psbt)
        if let path = outcome.strandedPath {
            console.note("The card was left at path \(path); its own is \(preparation.originalPath) (tapkit derive).")
        }
        if let interruption = outcome.interruption {
            throw incomplete(interruption, added: outcome.added, plan: plan, file: target.outputName)
        }
        try answer(result, plan: plan, target: target, access: access)
    }

    private func incomplete(_ error: FlowError, added: Int, plan: SigningPlan, file: String?) -> Failure {
        var failure = Failure(error)
        let (done, total) = (plan.presentCount + added, plan.presentCount + plan.signatureCount)
        failure.progress = Failure.Progress(done: done, total: total, savedFile: file)
        let place = file.map { ", kept in \($0)" } ?? ""
        return failure.prefixed("\(done) of \(total) signed\(place). ", hint: "Run the same command again to go on.")
    }

    private func answer(
        _ result: SigningResult, plan: SigningPlan, target: SignedFile, access: CardAccess
    ) throws(Failure) {
        if extract, result.transaction == nil {
            throw Failure(
                .notComplete, "Signatures of others are still missing, so there is no transaction to extract.",
                hint: "The signed PSBT is in \(target.outputName ?? "the answer"); pass it on to the other signers.")
        }
        if options.isJSON {
            JSONAnswer.write(
                SigningDocument(
                    result: result, review: plan.review, findings: plan.findings, file: target.outputName,
                    isSimulated: access.isSimulated))
            return
        }
        let console = options.console
        console.note("Signed \(result.added) input\(result.added == 1 ? "" : "s").")
        if let file = target.outputName { console.note("Written to \(file).") }
        if let transaction = result.transaction {
            console.note("Complete: transaction \(transaction.id).")
            if extract { console.say(Hex.encode(transaction.serialized())) }
        } else {
            console.note("Not complete: signatures of others are missing.")
        }
    }
}
