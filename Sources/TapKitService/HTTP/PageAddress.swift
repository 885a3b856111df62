/// Where the page is. Each form lets one browser in, and both have the same token.
package struct PageAddress: Sendable, Equatable {
    /// For people: at an address of the loopback network that nobody can foresee, such as
    /// `http://127.83.4.201:34323/#TOKEN`. Nothing that a browser keeps from another server is in its way.
    package let drawn: String
    /// For programs, which have a browser of their own: at the same port of 127.0.0.1.
    package let known: String

    init(_ door: LoopbackDoor, token: String) {
        let all = door.hosts.map { "http://\($0):\(door.port)/#\(token)" }
        (known, drawn) = (all.first ?? "", all.last ?? "")
    }
}
