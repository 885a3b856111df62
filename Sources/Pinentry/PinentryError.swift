/// Why a pinentry gave no answer.
package enum PinentryError: Error, Equatable, Sendable {
    /// The person cancelled.
    case cancelled
    /// Nobody answered in time: the pinentry said so, or was ended here.
    case timedOut
    /// Ctrl-C, or the system's request to end.
    case interrupted
    /// The program cannot be started; why, in the system's words.
    case cannotStart(program: String, reason: String)
    /// It has neither a screen nor a terminal to ask on.
    case nowhereToAsk
    /// It refused in its own words.
    case refused(String)
    /// It ended before it answered.
    case ended
    /// It does not speak as a pinentry does; what is wrong.
    case garbage(String)
}
