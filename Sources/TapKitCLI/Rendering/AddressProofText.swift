import TapManager

extension AddressProof {
    /// What remains unproven, for the user; `nil`: nothing.
    var warning: String? {
        guard unprovenKeyCount > 0, !isRegistered else { return nil }
        let others =
            "\(unprovenKeyCount) of its \(keyCount.counted("key")) \(unprovenKeyCount == 1 ? "is" : "are") not verified"
        guard let fewestOthers else { return "\(others). The money cannot be spent without the verified keys." }
        let (keys, them) =
            switch (fewestOthers, unprovenKeyCount) {
            case (_, 1): ("it is", "it")
            case (1, _): ("one of these is", "it")
            default: ("\(fewestOthers) of these are", "them")
            }
        let (lock, then) = othersNeedLock ? (" once a lock has opened", " then") : ("", "")
        return "\(others), and \(keys) enough to spend\(lock): whoever holds \(them) can take the money\(then)."
    }
}
