import Bitcoin
import Glibc
import TapProtocol

/// The CVC where HWI's callers give a device's password.
extension SecretInput {
    /// A CVC from the next line of standard input.
    /// - Throws: `Failure`: `.cvcNeeded` when there is no line, `.badCVC`.
    static func cvc(fromLineOf input: StandardInputLines) throws(Failure) -> CVC {
        guard var line = try input.next() else {
            throw Failure(.cvcNeeded, "Standard input ended where the CVC was expected.")
        }
        return try cvc(SecretBytes(moving: &line))
    }

    /// A CVC that is typed on the terminal without echo; without one, the next line of standard input.
    /// - Throws: `Failure`: `.interrupted`, `.cvcNeeded`, `.badCVC`.
    static func cvcFromTerminal(orLineOf input: StandardInputLines) throws(Failure) -> CVC {
        // One that this process was put behind would stop it.
        guard TerminalLine.isOurs else { return try cvc(fromLineOf: input) }
        let question = SecretQuestion(
            subject: .cvc, line: "Enter your device password: ", description: "The card's CVC.", prompt: "CVC:")
        return try cvc(question.ask())
    }
}
