@testable import TapSimulator

/// Counterfeits: cards that lie from inside. For tests.
extension SimulatedCard {
    /// A new card that lives only in memory and lies.
    /// - Parameters:
    ///   - options: how it shall be.
    ///   - dishonesty: the lies, all told from the beginning; the first one has the last word.
    ///   - accomplice: the other card whose keys it uses; `nil`: one of the same factory.
    ///   - waitDuration: how long a `wait` command takes; `nil`: as the options say.
    /// - Throws: `SimulatedCardError.badOptions`.
    public convenience init(
        _ options: SimulatedCardOptions, dishonesty: [Dishonesty], accomplice: Accomplice? = nil,
        waitDuration: Duration? = nil
    ) throws(SimulatedCardError) {
        try self.init(options, waitDuration: waitDuration)
        try lie(dishonesty, accomplice: accomplice)
    }

    /// Lies from now on, instead of what it lied before; an empty list makes it honest again. What it did as a lie
    /// stays done. Nothing of it is kept in the card's file.
    /// - Parameters:
    ///   - dishonesty: the lies; the first one has the last word.
    ///   - accomplice: the other card whose keys it uses; `nil`: one of the same factory.
    /// - Throws: `SimulatedCardError.badOptions` when the factory cannot certify the accomplice.
    public func lie(_ dishonesty: [Dishonesty], accomplice: Accomplice? = nil) throws(SimulatedCardError) {
        let other: Accomplice
        if let accomplice { other = accomplice } else { other = try Accomplice(of: state.factory) }
        misbehave(by: Deceit(dishonesty, accomplice: other))
    }
}
