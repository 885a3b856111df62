import Bitcoin
import ExplainedErrors
import Settings
import Synchronization

/// Where the network that did not match came from, and so what to change.
enum NetworkSource {
    case option
    case variable
    case configuration
    /// None was named.
    case none

    private static let resolved = Mutex(NetworkSource.none)

    /// The source of the network that this run asked for; `.none` until it is resolved.
    static var ofThisRun: NetworkSource { resolved.withLock { $0 } }

    /// Remembers where the network of this run comes from.
    static func remember(_ setting: Setting?) { resolved.withLock { $0 = NetworkSource(setting) } }

    /// Where a network's setting comes from.
    init(_ setting: Setting?) {
        self =
            switch setting?.source {
            case .option: .option
            case .variable: .variable
            case .configuration: .configuration
            case nil: .none
            }
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

extension Network {
    /// The requested network; `nil`: the card's. Its source is remembered (`NetworkSource.ofThisRun`).
    static func asked(_ option: String?) throws(Failure) -> Network? {
        do throws(SettingError) {
            let setting = try Setting(option: option, variable: "TAPKIT_NETWORK", key: .network)
            NetworkSource.remember(setting)
            return try setting.map(Network.init)
        } catch { throw Failure(error) }
    }
}
