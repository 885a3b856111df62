import ExplainedErrors

extension ErrorCode {
    /// What to do, unless the failure knows better.
    var hint: String {
        switch self {
        case .usage: "See tapkit help."
        case .noCard, .cardRemoved, .cardReset: "Lay the card on the reader and run the command again, or use --wait."
        case .notSetUp: "Run tapkit setup."
        case .tampered:
            "Do not pay to this card. To save what is on it: tapkit unseal, tapkit slots --show-keys (SATSCARD), "
                + "tapkit sign (TAPSIGNER, SATSCHIP)."
        case .wrongNetwork: "Leave --network (and TAPKIT_NETWORK) out to go by the card itself."
        case .notGenuine: "Do not use this card. A card with a root of your own needs --root-key."
        case .confirmationNeeded: "Use --yes to answer all questions with yes."
        case .declined, .cancelled: ""
        case .cvcNeeded: "Use --cvc-file PATH, or - for standard input."
        case .noChainServer:
            "Name one with --chain or, once and for all, with tapkit config set chain: esplora:URL, electrum:HOST:PORT, "
                + "core:URL."
        case .chainUnreachable: "Try again, use another server or, where the verb has it, --offline."
        case .feeNeeded: "Use --fee-rate SAT_PER_VB."
        case .keyNeeded: "Use --key-file PATH, or - for standard input."
        case .internalError: "Please report it with the output of the same command and --trace."
        default: ""
        }
    }
}
