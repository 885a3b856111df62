import Bitcoin
import Glibc

/// Asks for a secret in a window, or on another terminal, with the program that GnuPG uses for this.
///
/// Spec: pinentry, "Protocol"; Assuan.
package struct Pinentry: Sendable {
    /// What the user reads.
    package struct Question: Equatable, Sendable {
        /// The window's title.
        let title = "tapkit"
        /// What is asked for, and why; line breaks are kept.
        let description: String
        /// The text before the field.
        let prompt: String
        /// What was wrong with the previous answer.
        let error: String?

        /// The most bytes of one text. Percent signs, line ends and other control characters take three, and the command name
        /// takes some. Longer text is cut off.
        package static let maximumLength = AssuanCommand.maximumLength

        /// - Parameters:
        ///   - description: what is asked for, and why; line breaks are kept.
        ///   - prompt: the text before the field.
        ///   - error: what was wrong with the previous answer.
        package init(description: String, prompt: String, error: String? = nil) {
            (self.description, self.prompt, self.error) = (description, prompt, error)
        }
    }

    /// Time limits.
    struct Limits: Sendable {
        /// For the pinentry's greeting, and for each setting.
        var setting = Duration.seconds(20)
        /// For the user to answer, in seconds.
        var personSeconds = 300
        /// Extra time before it is stopped.
        var grace = Duration.seconds(10)
    }

    private let program: PinentryProgram
    private let surroundings: PinentrySurroundings
    private let limits: Limits
    private let interruption: Int32

    /// The pinentry that `TAPKIT_PINENTRY` names, or else GnuPG's; `nil` when there is none.
    /// - Parameters:
    ///   - environment: a variable's value; `nil` when unset or empty.
    ///   - interruption: becomes readable when the user interrupts.
    package init?(environment: (String) -> String?, interruption: Int32) {
        self.init(environment: environment, limits: Limits(), interruption: interruption)
    }

    init?(environment: (String) -> String?, limits: Limits, interruption: Int32) {
        guard let program = PinentryProgram(environment: environment) else { return nil }
        self.program = program
        surroundings = PinentrySurroundings(environment: environment)
        (self.limits, self.interruption) = (limits, interruption)
    }

    /// The program's path.
    package var path: String { program.path }

    /// Whether it may be one with windows: its file's name is not that of one for terminals only.
    package var hasWindows: Bool {
        guard let file = realpath(path, nil) else { return true }
        defer { free(file) }
        let name = String(cString: file)
        return !["-curses", "-tty"].contains { name.hasSuffix($0) }
    }

    /// Asks once. Whatever happens, the program has ended afterwards.
    /// - Returns: what was typed, at most 255 bytes; nothing in it has been checked.
    package func ask(_ question: Question) throws(PinentryError) -> SecretBytes {
        try answer(question, to: AssuanCommand("GETPIN"))
    }

    /// Asks a yes-or-no question.
    /// - Throws: `PinentryError`; `.cancelled` means no.
    package func confirm(_ question: Question) throws(PinentryError) {
        _ = try answer(question, to: AssuanCommand("CONFIRM"))
    }

    /// Stops the program that this process runs, if any; called from a different thread than the one waiting for it.
    package static func endRunning() { PinentryProcess.endRunning() }

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
        // A pinentry that does not know some of these can do without them.
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
            throw .refused("it rejected the text to show")
        }
    }
}
