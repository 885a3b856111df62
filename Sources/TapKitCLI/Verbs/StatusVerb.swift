import AnswerDocuments
import ArgumentParser
import Bitcoin
import TapManager
import TapProtocol

/// `tapkit status`: what the card is, whether it is genuine, its state, and what to do next.
struct StatusVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show what the card is and its state; needs no CVC.")

    @OptionGroup var options: GlobalOptions

    func run() async throws {
        try options.requireSense()
        let invocation = try Invocation(options, to: .looking, usesCVC: false, answersTampering: !options.isJSON)
        let card = try await invocation.card()
        let proof = try await invocation.manager.prove(card)
        let (status, verdict) = (proof.status, proof.verdict)
        let (unfinished, errors) = invocation.manager.unfinished(of: status.ident)
        // The card is shown even if the store cannot be read.
        let unread = errors.map { ProblemDocument(Failure($0)) }
        for problem in unread { invocation.console.note(lines: problem.lines) }
        var problems = [invocation.storeProblem].compactMap(\.self) + unread
        var unsent: [TransactionListing] = []
        do { if verdict.isAccepted { unsent = try await invocation.manager.unsentSweeps(of: card) } } catch {
            let problem = ProblemDocument(Failure(unexpected: error))
            invocation.console.note(lines: problem.lines)
            problems.append(problem)
        }
        var due: [StoredWallet] = []
        do { due = try invocation.manager.walletsWithDueDrill() } catch {
            let problem = ProblemDocument(Failure(error))
            invocation.console.note(lines: problem.lines)
            problems.append(problem)
        }
        let document = try StatusDocument(
            card, proof, on: invocation.network, unfinished: unfinished.map { UnfinishedFlowDocument($0) },
            unsent: unsent, dueDrills: due, problems: problems)
        invocation.console.answer(
            document,
            StatusText(
                proof, of: card, on: invocation.network, unfinished: unfinished, unsent: unsent, dueDrills: due
            ).lines)
    }
}
