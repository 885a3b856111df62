/// A step of making a card ready; they are taken in this order.
public enum SetupStep: String, Sendable, Hashable, Codable, CaseIterable {
    /// The card may have picked its key.
    case pickingKey
    /// The card has a key; that our chain code went into it is to be proven.
    case provingKey
    /// The card may have been moved to its path.
    case settingPath
    /// The card has its path; the backup may have been made, and is not known to be saved.
    case backingUp
    /// The backup is saved; the CVC is to be changed.
    case changingCVC
}
