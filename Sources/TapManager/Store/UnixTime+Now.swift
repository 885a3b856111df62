import Glibc

extension UnixTime {
    /// The machine's clock, for programs without a better one.
    @Sendable public static func now() -> UnixTime { UnixTime(seconds: Int64(time(nil))) }
}
