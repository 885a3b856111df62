import ExplainedErrors
import Settings
import Terminal

/// Where the network that did not match came from, and so what to change.
enum NetworkSource {
    case option
    case variable
    case configuration
    /// None was named.
    case none

    /// The source in this run. An option overrides the environment, which overrides the configuration.
    static var ofThisRun: NetworkSource {
        if CommandLine.arguments.contains(where: { $0 == "--network" || $0.hasPrefix("--network=") }) { return .option }
        if EnvironmentVariable.value("TAPKIT_NETWORK") != nil { return .variable }
        return (try? ConfigurationFile.read().values[.network]) != nil ? .configuration : .none
    }

    /// How to use the own network of what an error is about.
    func hint(_ subject: ErrorSubject?) -> String {
        switch subject {
        case .wallet: hint(for: "wallet")
        case .backup: hint(for: "backup")
        case .choice(.link): hint(for: "link")
        default: hint(for: "card")
        }
    }

    /// How to use the own network of a thing.
    func hint(for thing: String) -> String {
        switch self {
        case .none: "Use a \(thing) for the other network."
        case .option: "Leave --network out to use the \(thing)'s own network."
        case .variable: "Unset TAPKIT_NETWORK, or override it with --network, to use the \(thing)'s own network."
        case .configuration:
            "The network comes from the configuration: remove it with tapkit config unset network, or override it with --network."
        }
    }
}
