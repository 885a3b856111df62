import Bitcoin
import Glibc

/// Asks for a secret in a window, or on another terminal, by the program that GnuPG uses for it.
///
/// Spec: pinentry, "Protocol"; Assuan.
struct Pinentry: Sendable {
    /// What the person reads.
    struct Question: Equatable, Sendable {
        /// The window's title.
        var title = "tapkit"
        /// What is asked for and what for; lines are kept.
        let description: String
        /// What stands before the field.
        let prompt: String
        /// What was wrong with the last answer.
        var error: String?
    }

    /// How long things may take.
    struct Limits: Sendable {
        /// Until the pinentry greets, or has taken a setting.
        var setting = Duration.seconds(20)
        /// How long it may wait for the person, in seconds.
        var personSeconds = 300
        /// How much longer it has before it is ended.
        var grace = Duration.seconds(10)
    }

    private let program: PinentryProgram
    private let surroundings: PinentrySurroundings
    private let limits: Limits
    private let interruption: Int32

    /// - Parameters:
    ///   - program: the one to start.
    ///   - interruption: becomes readable when the person interrupts.
    init(
        _ program: PinentryProgram, surroundings: PinentrySurroundings = PinentrySurroundings(),
        limits: Limits = Limits(), interruption: Int32 = Interruption.shared.readEnd
    ) {
        (self.program, self.surroundings, self.limits, self.interruption) = (
            program, surroundings, limits, interruption
        )
    }

    /// Asks once. Whatever happens, the program is gone afterwards.
    /// - Returns: what was typed, at most 255 bytes; nothing has been checked about it.
    func ask(_ question: Question) throws(PinentryError) -> SecretBytes {
        try answer(question, to: AssuanCommand("GETPIN"))
    }

    /// Asks whether something shall be done.
    /// - Throws: `PinentryError`, `.cancelled` for a no.
    func confirm(_ question: Question) throws(PinentryError) {
        _ = try answer(question, to: AssuanCommand("CONFIRM"))
    }

    private func answer(_ question: Question, to command: AssuanCommand) throws(PinentryError) -> SecretBytes {
        let process = try PinentryProcess(program.path, variables: surroundings.variables)
        let connection = AssuanConnection(output: process.output, input: process.input, interruption: interruption)
        var isOver = false
        defer { process.end(isOver: isOver) }
        try connection.greeting(within: limits.setting)
        try tell(question, on: connection)
        let limit = Duration.seconds(limits.personSeconds) + limits.grace
        do throws(PinentryError) {
            let answer = try connection.ask(command, within: limit)
            connection.leave()
            isOver = true
            return answer
        } catch {
            if error == .cancelled {
                connection.leave()
                isOver = true
            }
            throw error
        }
    }

    private func tell(_ question: Question, on connection: AssuanConnection) throws(PinentryError) {
        // What a pinentry does not know among these it can do without.
        let options =
            surroundings.options.map { AssuanCommand("OPTION", $0) } + [
                AssuanCommand("SETTITLE", question.title), AssuanCommand("SETTIMEOUT", "\(limits.personSeconds)"),
            ]
        for option in options { _ = try connection.tell(option, within: limits.setting) }
        var texts = [
            AssuanCommand("SETDESC", question.description), AssuanCommand("SETPROMPT", question.prompt),
        ]
        if let error = question.error { texts.append(AssuanCommand("SETERROR", error)) }
        for text in texts where try !connection.tell(text, within: limits.setting) {
            throw .refused("it does not take the text to show")
        }
    }
}
