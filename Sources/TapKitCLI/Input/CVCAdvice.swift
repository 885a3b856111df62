import TapProtocol

/// Warnings about long CVCs.
///
/// Spec: protocol, "Who can forge what".
enum CVCAdvice {
    private static let reason =
        "more than \(CVC.longestForProofs) digits. Anyone who learns it, for example by listening in on a signature, can "
        + "forge the card's proofs of its keys."

    /// About what a card could prove with its CVC.
    static let offer = "To have the card prove its keys, add --cvc-file -: you are then asked for the CVC."

    /// About the current CVC.
    static let present = "This CVC has \(reason) Choose one of 6 to \(CVC.longestForProofs) digits: tapkit change-cvc."

    /// About a new CVC.
    static let new = "The new CVC has \(reason) Use 6 to \(CVC.longestForProofs) digits instead."
}
