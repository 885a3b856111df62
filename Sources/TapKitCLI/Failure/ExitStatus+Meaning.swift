extension ExitStatus {
    /// What the status tells a script.
    var meaning: String {
        switch self {
        case .success: "Done."
        case .usage: "The command line makes no sense, or a question needs an answer and there is no terminal."
        case .badInput: "A file, transaction, address or backup is not what it should be."
        case .noInput: "An input file is not there."
        case .unavailable: "No reader, no PC/SC service, or no chain server."
        case .software: "A bug in tapkit."
        case .cannotCreate: "Output cannot be written."
        case .inputOutput: "The reader or the card broke."
        case .tryAgain: "The card is not there, or was taken away: try again."
        case .proofFailed: "A proof failed: the card is not genuine, or was tampered with."
        case .noPermission: "The CVC is wrong or needed, or the card insists on a delay."
        case .configuration: "The configuration or the environment is wrong."
        case .interrupted: "Interrupted by the person."
        }
    }
}
