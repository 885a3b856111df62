import TapManager
import TapProtocol

/// Where the CVC of one card comes from: a file, whose CVC is tried once, or somebody who may mistype it.
struct CVCSource: Sendable {
    /// The CVC to begin with.
    let first: CVC
    /// Who is asked again; `nil` for a CVC from a file.
    private let prompt: CVCPrompt?
    /// How often somebody was asked so far.
    private let prompts: Int

    /// A CVC from a file, or one that is asked for now.
    /// - Throws: `Failure`: what `CVCPrompt.ask` throws.
    init(given: CVC?, _ prompt: CVCPrompt) throws(Failure) {
        if let given {
            (first, self.prompt, prompts) = (given, nil, 0)
        } else {
            var count = 0
            first = try prompt.ask(counting: &count)
            (self.prompt, prompts) = (prompt, count)
        }
    }

    /// A CVC that the card has taken before.
    init(proven cvc: CVC) { (first, prompt, prompts) = (cvc, nil, 0) }

    /// Runs a flow on a card with the CVC. When the card refuses one that was typed, the person is told how many tries are
    /// left and asked again, and the flow is run from its start: the card has done nothing for a wrong CVC. One that the
    /// card refused is not sent again.
    /// - Returns: what the flow returns, and the CVC that the card took.
    /// - Throws: `Failure`: what `ProgressLine.during` and `CVCPrompt.ask` throw; `.wrongCVC` after the third wrong one.
    func unlock<Result>(
        _ card: WatchedCard, _ flow: (CVC) async throws(FlowError) -> Result
    ) async throws(Failure) -> (result: Result, cvc: CVC) {
        var (cvc, refused, prompts) = (first, [CVC](), prompts)
        if !cvc.isShortEnoughForProofs { card.progress.note(CVCAdvice.present) }
        while true {
            var isRefused = false
            do throws(Failure) {
                let result = try await card.progress.during { () async throws(FlowError) in
                    do throws(FlowError) { return try await flow(cvc) } catch {
                        if case .card(.wrongCVC) = error { isRefused = true }
                        throw error
                    }
                }
                return (result, cvc)
            } catch {
                guard isRefused, let prompt, prompts < CVCPrompt.limit else { throw error }
                refused.append(cvc)
                cvc = try Self.next(prompt, after: error, refused: refused, &prompts)
            }
        }
    }

    private static func next(
        _ prompt: CVCPrompt, after failure: Failure, refused: [CVC], _ prompts: inout Int
    ) throws(Failure) -> CVC {
        let state = failure.hint.isEmpty ? failure.message : "\(failure.message) \(failure.hint)"
        var problem = state
        while prompts < CVCPrompt.limit {
            let cvc = try prompt.ask(after: problem, counting: &prompts)
            guard refused.contains(where: { $0.isEqual(to: cvc) }) else { return cvc }
            problem = "The card refused this CVC before; it was not sent again. \(state)"
        }
        throw failure
    }
}
