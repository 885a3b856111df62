/// An HTTP request to a server.
struct HTTPRequest: Sendable {
    /// The full address, without user and password.
    let url: String
    /// The body of a POST; `nil` means GET.
    var body: [UInt8]?
    /// User and password, for the basic scheme.
    var credentials: Credentials?
    /// The longest time for the answer; `nil`: the settings'.
    var timeLimit: Duration?

    /// User and password; no description shows them.
    struct Credentials: Sendable, CustomStringConvertible, CustomReflectable {
        let user: String
        let password: String

        var description: String { "credentials" }
        var customMirror: Mirror { Mirror(self, children: []) }
    }
}

/// The response, whatever its status.
struct HTTPResponse: Sendable {
    let status: Int
    let body: [UInt8]
    /// How long the server asks clients to wait.
    let retryAfter: Duration?
}
