extension ExitStatus {
    /// What the status means to a script.
    var meaning: String {
        switch self {
        case .success: "Done."
        case .usage: "The command line is invalid, or a question needs an answer and there is no terminal."
        case .badInput: "A file, transaction, address or backup is invalid or unsuitable."
        case .noInput: "An input file does not exist."
        case .unavailable: "No reader, no PC/SC service, or no chain server."
        case .software: "A bug in tapkit."
        case .cannotCreate: "Output cannot be written."
        case .inputOutput: "Communication with the reader or the card failed."
        case .tryAgain: "There is no card, or it was removed: try again."
        case .proofFailed: "A proof failed: the card is not genuine, or was tampered with."
        case .noPermission: "The CVC is wrong or missing, or the card is locked out."
        case .configuration: "The configuration or the environment is wrong."
        case .interrupted: "Cancelled or interrupted by the user."
        }
    }
}
