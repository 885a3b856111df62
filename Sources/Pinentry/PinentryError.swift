/// Why a pinentry gave no answer.
package enum PinentryError: Error, Equatable, Sendable {
    /// The user cancelled.
    case cancelled
    /// Nobody answered in time: the pinentry reported so, or was stopped here.
    case timedOut
    /// Ctrl-C, or the system's request to stop.
    case interrupted
    /// The program cannot be started; the system's reason.
    case cannotStart(program: String, reason: String)
    /// It has neither a screen nor a terminal to ask on.
    case nowhereToAsk
    /// It refused; its own words.
    case refused(String)
    /// It ended before it answered.
    case ended
    /// It does not follow the pinentry protocol; what is wrong.
    case garbage(String)
}
