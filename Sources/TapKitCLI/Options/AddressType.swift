import ArgumentParser
import Bitcoin

/// A type of address as the user names it.
enum AddressType: String, CaseIterable, ExpressibleByArgument {
    case p2wpkh
    case p2shP2WPKH = "p2sh-p2wpkh"
    case p2pkh

    /// The kind.
    var kind: ScriptKind {
        switch self {
        case .p2wpkh: .p2wpkh
        case .p2shP2WPKH: .p2shP2WPKH
        case .p2pkh: .p2pkh
        }
    }
}
