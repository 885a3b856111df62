/// Spending policies that people know by name: a spending path that is always open, and one that opens once a coin is old.
///
/// Liana calls them primary and recovery path; Nunchuk has the first two under the same names.
///
/// Source: Liana, `liana-gui/src/installer/step/descriptor/editor/template`; libnunchuk, `nunchukutils.cpp`,
/// `FlexibleMultisigMiniscriptTemplate`.
public enum PolicyTemplate: String, CaseIterable, Sendable {
    /// Several keys; later fewer of the same.
    case decaying
    /// Several keys; later more keys may sign, and as many signatures are needed as before.
    case expanding
    /// The owner's keys; later the heirs', without the owner's.
    case inheritance
    /// The owner's keys; later others of the same owner, kept elsewhere.
    case recovery

    /// The fewest keys of the first path: a decaying policy needs two, or there could not be fewer later.
    public var fewestKeys: Int { self == .decaying ? 2 : 1 }

    /// Whether keys that open the later path alone are needed.
    public var hasLaterKeys: Bool { self != .decaying }

    /// Whether the keys of the first path are also on the later one.
    var keepsKeys: Bool { self == .decaying || self == .expanding }

    /// Whether the later path has a threshold of its own; if not, that of the first path counts.
    public var hasLaterThreshold: Bool { self != .expanding }
}
