import AnswerDocuments
import Bitcoin
import TapManager

extension SigningJob {
    /// Writes and shows the result of a sweep.
    /// - Parameters:
    ///   - copy: another file for the signed PSBT.
    ///   - transfer: QR codes of it to draw.
    /// - Throws: `Failure`: `.cannotWrite`, the interruption, or why it was not sent.
    static func finish(
        _ sweep: SweepReport, _ invocation: Invocation, copy: PSBTFiles?, transfer: QRTransfer?
    ) throws(Failure) {
        let console = invocation.console
        let now = invocation.manager.now
        let psbt = sweep.signing.plan.psbt
        let id = psbt.unsignedTransaction.id.abbreviated
        let job = SigningJob(
            console, .stored(StoredTransaction(psbt: psbt, created: now, updated: now), copy: copy),
            isExtracting: false, transfer: transfer)
        var end = SigningOutcome(report: sweep.signing)
        switch sweep.sending {
        case .none: try job.finish(end)
        case .sent(let server):
            end.sentTo = server
            do throws(Failure) { try job.finish(end) } catch { throw error.prefixed("Sent, according to \(server). ") }
        case .failed(let error):
            var failure = unsent(Failure(unexpected: error), error, sweep, id)
            // The file is written even if sending failed; what became of the money is told even if the file is not written.
            do throws(Failure) { try job.save(end.result) } catch {
                failure = failure.retold("\(failure.message) \(error.message)").rescuing(end.result.psbt)
            }
            throw failure
        }
    }

    /// Why a signed sweep was not sent, or is not stored as sent.
    private static func unsent(_ failure: Failure, _ error: any Error, _ sweep: SweepReport, _ id: String) -> Failure {
        if case SendingError.sentButNotKept = error { return failure }
        guard sweep.signing.isKept else {
            return failure.prefixed("Signed, but neither stored nor sent: ").rescuing(sweep.signing.result.psbt)
        }
        return failure.prefixed("Signed and stored, but not sent: ", hint: "Send it with tapkit tx broadcast \(id).")
    }
}
