import TapProtocol

/// What has to be said about long CVCs.
///
/// Spec: protocol, "Who can forge what".
enum CVCAdvice {
    private static let reason =
        "more than \(CVC.longestForProofs) digits: to somebody who came to know it, who listened to a signature for example, what "
        + "the card then proves of its keys is no proof."

    /// Of the CVC that a card has.
    static let present = "This CVC has \(reason) Set one of 6 to \(CVC.longestForProofs) digits (tapkit change-cvc)."

    /// Of the one that it shall have.
    static let new = "The new CVC has \(reason) Six to \(CVC.longestForProofs) digits are better."
}
