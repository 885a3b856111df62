/// A step of setting up a card, in this order.
public enum SetupStep: String, Sendable, Hashable, Codable, CaseIterable {
    /// The card may have picked its key.
    case pickingKey
    /// The card has a key; a proof that it uses our chain code is missing.
    case provingKey
    /// The card may have been moved to its path.
    case settingPath
    /// The card has its path; the backup may have been made, but is not known to be saved.
    case backingUp
    /// The backup is saved; the CVC must be changed.
    case changingCVC
}
