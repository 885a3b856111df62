import TapManager

extension AddressProof {
    /// What is left to trust, for people; `nil`: nothing.
    var warning: String? {
        guard unprovenKeyCount > 0 else { return nil }
        let others =
            "\(unprovenKeyCount) of its \(keyCount.counted("key")) \(unprovenKeyCount == 1 ? "is" : "are") not verified"
        return isSafe
            ? "\(others): without them the money cannot be spent, if \(threshold) must sign."
            : "\(others), and \(threshold) can spend: whoever has those can take the money."
    }
}
