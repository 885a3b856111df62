import ExplainedErrors

/// Where the network came from that something turned out not to be for: what to change.
enum NetworkSource {
    case option
    case variable
    case configuration
    /// Nobody named one.
    case none

    /// That of the command that is running. An option beats the environment, and that beats the configuration.
    static var ofThisRun: NetworkSource {
        if CommandLine.arguments.contains(where: { $0 == "--network" || $0.hasPrefix("--network=") }) { return .option }
        if EnvironmentVariable.value("TAPKIT_NETWORK") != nil { return .variable }
        return (try? ConfigurationFile.read().values[.network]) != nil ? .configuration : .none
    }

    /// How to go by the thing itself.
    func hint(_ subject: ErrorSubject?) -> String {
        let thing =
            switch subject {
            case .wallet: "wallet"
            case .backup: "backup"
            case .choice(.link): "link"
            default: "card"
            }
        return switch self {
        case .option, .none: "Leave --network out to go by the \(thing) itself."
        case .variable: "Unset TAPKIT_NETWORK, or say otherwise with --network, to go by the \(thing) itself."
        case .configuration:
            "The network comes from the configuration: tapkit config unset network takes it back, --network overrules it."
        }
    }
}
