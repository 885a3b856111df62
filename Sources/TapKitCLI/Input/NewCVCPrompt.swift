import TapManager
import TapProtocol

/// Asks twice for a card's new CVC, and again if it is invalid, is the current one, or was typed differently.
struct NewCVCPrompt {
    private let card: CardAtHand
    /// The program that asks for it, in a window; `nil`: the user's own command.
    private let asker: String?
    /// Becomes readable when nobody wants the answer any more; `nil`: on Ctrl-C only.
    private let interruption: Int32?

    /// A prompt for a card that was found.
    /// - Parameters:
    ///   - asker: the program that wants it, which a window names; `nil`: the user's own command, on the terminal.
    ///   - interruption: becomes readable when nobody wants the answer any more; `nil`: on Ctrl-C only.
    init(_ card: CardAtHand, for asker: String? = nil, endedBy interruption: Int32? = nil) {
        (self.card, self.asker, self.interruption) = (card, asker, interruption)
    }

    /// Asks until the same CVC was typed twice, at most `CVCPrompt.limit` times. Empty input cancels.
    /// - Parameter present: the CVC that was given as the current one; `nil`: any new one is allowed.
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
            // The usual hint, where the current CVC is printed, does not help here.
            throw error.isTypedAgain ? error.failure.advising(Self.hint) : error.failure
        }
    }

    /// Why there is no new CVC.
    private struct Slip: Error {
        let failure: Failure
        /// Whether the user may try again.
        var isTypedAgain = false

        init(_ failure: Failure) { self.failure = failure }

        /// What was typed cannot be used as the new CVC.
        init(typed failure: Failure) { (self.failure, isTypedAgain) = (failure, true) }
    }

    private static let hint = "Nothing was changed. Run the command again."

    private func askOnce(insteadOf present: CVC?, after problem: String?) throws(Slip) -> CVC {
        let typed = try secret(
            "New CVC for card \(card.label), 6 to 32 digits:",
            "The new CVC of \(card.title): 6 to 32 digits.\nWithout it, the card cannot be used.", "New CVC:",
            after: problem)
        guard typed.count > 0 else {
            throw Slip(Failure(.cancelled, "Cancelled: no new CVC was entered.", hint: Self.hint))
        }
        let cvc: CVC
        do { cvc = try CVC(typed) } catch { throw Slip(typed: Failure(error)) }
        guard present?.isEqual(to: cvc) != true else {
            throw Slip(
                typed: Failure(
                    .badCVC, "That is the current CVC. Choose a different one."))
        }
        let repeated = try secret("Repeat the new CVC:", "Repeat the new CVC of \(card.title).", "Repeat new CVC:")
        guard repeated.isEqual(to: typed) else { throw Slip(typed: Failure(.badCVC, "The two CVCs do not match.")) }
        return cvc
    }

    private func secret(
        _ line: String, _ description: String, _ prompt: String, after problem: String? = nil
    ) throws(Slip) -> SecretBytes {
        let question = SecretQuestion(
            subject: .cvc, line: line, description: description + SecretQuestion.line(naming: asker), prompt: prompt,
            error: problem, option: "--new-cvc-file", isForWindow: asker != nil, interruption: interruption)
        do throws(Failure) { return try question.ask() } catch { throw Slip(error) }
    }
}
