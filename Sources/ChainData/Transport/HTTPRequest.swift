/// A request to a server's HTTP interface.
struct HTTPRequest: Sendable {
    /// The whole address, without user and password.
    let url: String
    /// What is posted; `nil` asks with GET.
    var body: [UInt8]?
    /// User and password, for the basic scheme.
    var credentials: Credentials?
    /// The longest time for the answer; `nil`: the settings'.
    var timeLimit: Duration?

    /// A user and a password, which no description shows.
    struct Credentials: Sendable, CustomStringConvertible, CustomReflectable {
        let user: String
        let password: String

        var description: String { "credentials" }
        var customMirror: Mirror { Mirror(self, children: []) }
    }
}

/// What came back, whatever its status.
struct HTTPResponse: Sendable {
    let status: Int
    let body: [UInt8]
    /// How long the server wants to be left alone.
    let retryAfter: Duration?
}
