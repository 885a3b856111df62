import TapManager
import Terminal
import TextLayout

/// A file that `tapkit wallet register` wrote.
enum RegistrationFile {
    /// Reads it. Whose key made the registration, only the card shows.
    /// - Parameter path: `-`: standard input.
    static func read(_ path: String) throws -> RegistrationText {
        let bytes = try InputFile.read(path, limit: RegistrationText.maximumLength)
        return try RegistrationText(parsing: String(decoding: bytes, as: UTF8.self))
    }

    /// Reads files, and confirms that each registration was made by a key of the wallet in it.
    /// - Throws: `Failure.usage` for standard input, which is for one thing.
    static func readSigned(_ paths: [String]) throws -> [RegistrationText] {
        try paths.map { path in
            guard !InputFile.isStandardInput(path) else {
                throw Failure(.usage, "--registration takes a file, not standard input.")
            }
            do {
                let registration = try read(path)
                try registration.requireSigned()
                return registration
            } catch let error as RegistrationError {
                throw Failure(unexpected: error).prefixed("\(TerminalText.neutralized(path)): ")
            }
        }
    }
}
