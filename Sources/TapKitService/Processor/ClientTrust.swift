/// What a client may do beyond what every program may.
package enum ClientTrust: Sendable, Equatable {
    /// Any program of this user.
    case program
    /// The page of this very program, which shows every question whole, with all its warnings. It may ask for the yes
    /// while the CVC is asked for at this machine (``CallInteraction/Side/both``).
    case page
}
