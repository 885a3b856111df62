import TapManager

extension AddressProof {
    /// What remains unproven, for the user; `nil`: nothing.
    var warning: String? {
        guard unprovenKeyCount > 0, !isRegistered else { return nil }
        let others =
            "\(unprovenKeyCount) of its \(keyCount.counted("key")) \(unprovenKeyCount == 1 ? "is" : "are") not verified"
        guard let fewestOthers else { return "\(others). The money cannot be spent without the verified keys." }
        return fewestOthers == 1
            ? "\(others), and one of them is enough to spend: whoever holds it can take the money."
            : "\(others), and \(fewestOthers) of them are enough to spend: whoever holds those can take the money."
    }
}
