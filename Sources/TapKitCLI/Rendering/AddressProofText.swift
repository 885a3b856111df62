import TapManager

extension AddressProof {
    /// What remains unproven, for the user; `nil`: nothing.
    var warning: String? {
        guard unprovenKeyCount > 0, !isRegistered else { return nil }
        let others =
            "\(unprovenKeyCount) of its \(keyCount.counted("key")) \(unprovenKeyCount == 1 ? "is" : "are") not verified"
        guard let fewestOthers else { return "\(others). The money cannot be spent without the verified keys." }
        return "\(others), and \(fewestOthers) can spend: anyone who holds those can take the money."
    }
}
