extension ExitStatus {
    /// What the status means to a script.
    var meaning: String {
        switch self {
        case .success: "Done."
        case .usage: "The command line is invalid, or a question needs an answer and there is no terminal."
        case .badInput: "A file, transaction, address or backup is invalid or unsuitable."
        case .noInput: "An input file does not exist."
        case .unavailable: "A reader, the PC/SC service or a chain server cannot be used."
        case .software: "A bug in tapkit."
        case .cannotCreate: "Output cannot be written."
        case .inputOutput: "Communication with the reader or the card, or the local store, failed."
        case .tryAgain: "The card is not there, or the store or the chain server is busy: try again."
        case .proofFailed: "A proof failed: of a card, server, wallet, kit, link or signature."
        case .noPermission: "A CVC is wrong, a CVC or a backup key is missing, or the card is locked out."
        case .configuration: "The configuration, the environment or the local store cannot be used."
        case .interrupted: "Cancelled or interrupted by the user."
        }
    }
}
