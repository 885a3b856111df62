/// The version of the card's applet, with its differences from the others.
///
/// Spec: protocol, the differences marked at the commands; the maker's change log.
public enum AppletVersion: String, Codable, Sendable, CaseIterable {
    /// The first version that was sold.
    case v090 = "0.9.0"
    /// Nonces stay the same after an error.
    case v100 = "1.0.0"
    /// CVCs of a wrong length count as wrong attempts.
    case v102 = "1.0.2"
    /// `dump` without a CVC shows the key of an unsealed slot.
    case v103 = "1.0.3"

    /// The version of new cards unless another is requested.
    public static let newest = Self.v103

    private var order: Int { Self.allCases.firstIndex(of: self) ?? 0 }

    private func isAtLeast(_ other: Self) -> Bool { order >= other.order }

    /// Whether a failed command picks a new `card_nonce` without returning it.
    var losesNonceOnError: Bool { !isAtLeast(.v100) }

    /// Whether the response to `certs` carries the `card_nonce` in force, although it need not.
    var certsCarryNonce: Bool { !isAtLeast(.v100) }

    /// Whether `check` on a SATSCARD also signs the sealed slot's key.
    var checkCoversSlotKey: Bool { isAtLeast(.v100) }

    /// Whether `sign` with a `subpath` makes a SATSCARD believe that it was tampered with. Which arguments of which
    /// command did so up to 0.9.0 is not documented; the maker's client says that these trigger a bug.
    var tampersOnSubpath: Bool { !isAtLeast(.v100) }

    /// Whether `change` accepts only digits (1.0.1 and later).
    var wantsDigitsInCVC: Bool { isAtLeast(.v102) }

    /// Whether a CVC of the wrong length counts as a wrong attempt.
    var countsWrongLength: Bool { isAtLeast(.v102) }

    /// Whether `dump` without a CVC returns the key of an unsealed slot.
    var dumpShowsUnsealedKey: Bool { isAtLeast(.v103) }

    /// Whether a full SATSCARD reports an active slot after the last. Up to 1.0.0 it keeps reporting the last one,
    /// without an address; when that changed after 1.0.0 is not documented.
    var fullCardPointsPastTheEnd: Bool { isAtLeast(.v102) }
}
