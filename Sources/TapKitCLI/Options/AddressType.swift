import ArgumentParser
import Bitcoin

/// A kind of address as people name it.
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
