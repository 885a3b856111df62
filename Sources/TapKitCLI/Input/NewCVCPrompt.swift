import TapManager
import TapProtocol

/// Asks for the CVC that a card shall have, twice; again, when it cannot be one, is the present one, or was typed differently.
struct NewCVCPrompt {
    private let card: CardAtHand

    /// A prompt for a card that was found.
    init(_ card: CardAtHand) { self.card = card }

    /// Asks until both times the same was typed, at most `CVCPrompt.limit` times. Nothing typed at all ends it at once.
    /// - Parameter present: the CVC that was given as the card's own; `nil`: the new one may be any.
    /// - Throws: what `SecretQuestion.ask` throws; `Failure.badCVC`.
    func ask(insteadOf present: CVC?) throws(Failure) -> CVC {
        var problem: String?
        for _ in 1..<CVCPrompt.limit {
            do throws(Slip) { return try askOnce(insteadOf: present, after: problem) } catch {
                guard error.isTypedAgain else { throw error.failure }
                problem = error.failure.message
            }
        }
        do throws(Slip) { return try askOnce(insteadOf: present, after: problem) } catch {
            // Where the present CVC is printed helps nobody to choose a new one.
            throw error.isTypedAgain ? error.failure.advising(Self.hint) : error.failure
        }
    }

    /// Why there is no new CVC.
    private struct Slip: Error {
        let failure: Failure
        /// Whether what was typed can be typed again; else nobody is asked any more.
        var isTypedAgain = false

        init(_ failure: Failure) { self.failure = failure }

        /// What was typed cannot be the new CVC.
        init(typed failure: Failure) { (self.failure, isTypedAgain) = (failure, true) }
    }

    private static let hint = "This run changed nothing. Run the command again."

    private func askOnce(insteadOf present: CVC?, after problem: String?) throws(Slip) -> CVC {
        let typed = try secret(
            "New CVC for card \(card.label), 6 to 32 digits: ",
            "The new CVC of \(card.title).\nIt has 6 to 32 digits. Without it the card is of no use.", "New CVC:",
            after: problem)
        guard typed.count > 0 else {
            throw Slip(Failure(.cancelled, "No new CVC was entered: cancelled.", hint: Self.hint))
        }
        let cvc: CVC
        do { cvc = try CVC(typed) } catch { throw Slip(typed: Failure(error)) }
        guard present?.isEqual(to: cvc) != true else {
            throw Slip(
                typed: Failure(
                    .badCVC, "That is the CVC that you gave as the present one. Choose another one."))
        }
        let repeated = try secret("Once more: ", "The new CVC of \(card.title), once more.", "New CVC once more:")
        guard repeated.isEqual(to: typed) else { throw Slip(typed: Failure(.badCVC, "You typed two different CVCs.")) }
        return cvc
    }

    private func secret(
        _ line: String, _ description: String, _ prompt: String, after problem: String? = nil
    ) throws(Slip) -> SecretBytes {
        let question = SecretQuestion(
            subject: .cvc, line: line, description: description, prompt: prompt, error: problem,
            option: "--new-cvc-file")
        do throws(Failure) { return try question.ask() } catch { throw Slip(error) }
    }
}
