import Bitcoin
import TapProtocol
import TapSimulator

extension CertificateVerdict {
    /// The root itself, where it is none of the maker's.
    var rootKey: PublicKey? {
        switch self {
        case .genuine, .development: nil
        case .custom(let key), .unknown(let key): key
        }
    }

    /// Whether the root is one of the simulator's, so that the card is known to be simulated.
    var isSimulator: Bool { simulatorRoot != nil }

    /// Which of the simulator's roots certified the card, in words.
    var simulatorRoot: String? {
        let factory = SimulatedFactory.allCases.first { (try? $0.rootKey) == rootKey && rootKey != nil }
        return switch factory {
        case .standard: "the simulator's root"
        case .development: "the simulator's development root"
        case nil: nil
        }
    }
}
