/// Whole seconds since 1970-01-01 00:00 UTC.
public struct UnixTime: Sendable, Hashable, Comparable {
    /// Seconds since 1970-01-01 00:00 UTC, without leap seconds; negative before.
    public let seconds: Int64

    /// - Parameter seconds: since 1970-01-01 00:00 UTC, without leap seconds; negative before.
    public init(seconds: Int64) { self.seconds = seconds }

    /// Which of two times is earlier.
    public static func < (left: UnixTime, right: UnixTime) -> Bool { left.seconds < right.seconds }
}

/// Tells the time; chosen by the program, so that tests can stop it.
public typealias UnixClock = @Sendable () -> UnixTime
