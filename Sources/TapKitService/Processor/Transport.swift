/// What carries lines between clients and the one processor: it knows of connections, and nothing of what is said.
package protocol Transport: Sendable {
    /// Serves clients until `stop`. Blocks its thread.
    func run(_ processor: ServiceProcessor)

    /// Ends `run`; may be called from any thread.
    func stop()
}

/// How a transport hands a client's lines over.
package protocol ClientConnection: Sendable {
    /// Sends a line with its end. Does not block.
    func send(_ line: [UInt8])

    /// Returns when little enough is unsent that more may follow; at once when the connection is over.
    func room() async

    /// Ends the connection, after what was sent.
    func end()
}
