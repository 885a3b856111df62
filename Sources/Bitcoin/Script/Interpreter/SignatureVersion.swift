/// The rules for running a script and for its signatures.
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
