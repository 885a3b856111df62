import Bitcoin
import TapManager

/// What a person must know of an address whose keys stand where wallets do not look: who has it paid to can be held to ransom.
///
/// Spec: threats, "The PSBT lies" (ransom by lost path); BIP-44, "Address gap limit".
enum HWIRemoteness {
    /// - Parameter paths: of the address's keys.
    /// - Returns: `nil` when nothing is out of the ordinary.
    static func caution(_ paths: [DerivationPath]) -> String? {
        let places = paths.map { Array($0.steps.reversed().prefix { !$0.isHardened }) }
        for (path, place) in zip(paths, places) {
            if let index = place.first?.index, index > WatchWallet.reachWithoutHistory {
                return
                    "WARNING: \(path) ends in \(index): wallets do not look that far, and what is paid there may be hard "
                    + "to find."
            }
            guard place.count == CardPath.maximumSubpathDepth else {
                return
                    "WARNING: \(path) does not end in a branch (0 or 1) and a number behind the hardened steps: wallets do "
                    + "not look there."
            }
            if let branch = place.last?.index, branch > 1 {
                return
                    "WARNING: \(path) is neither a receiving nor a change path (0 or 1 before the last step): wallets do "
                    + "not look there."
            }
        }
        guard Set(places).count > 1 else { return nil }
        return
            "WARNING: The keys of this address do not all stand at the same branch and number: wallets do not look there."
    }
}
