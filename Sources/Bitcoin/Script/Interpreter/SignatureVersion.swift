/// By which rules a script runs and its signatures are made.
///
/// Spec: Bitcoin Core, `SigVersion`; BIP-143, BIP-342.
enum SignatureVersion: Hashable, Sendable {
    /// Bare scripts and P2SH.
    case base
    /// Witness version 0.
    case witnessV0
    /// A script leaf of taproot.
    case tapscript
}
