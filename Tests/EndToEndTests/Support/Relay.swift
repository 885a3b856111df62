import Foundation
import TestSupport

/// Lets programs in a PC/SC sandbox, whose network is their own, reach a server of the test's on loopback.
struct Relay {
    /// The port inside.
    static let port: UInt16 = 40_001

    private let inside: InteractiveProcess
    private let outside: InteractiveProcess
    private let folder: TemporaryFolder

    /// - Parameter server: the server's port outside.
    init(to server: UInt16, from sandbox: PCSCSandbox) async throws {
        folder = try TemporaryFolder()
        let (script, socket) = (PythonEnvironment.script("relay.py"), folder.path("socket"))
        outside = try InteractiveProcess("/usr/bin/python3", [script, "out", socket, "\(server)"])
        try await outside.line()
        inside = try sandbox.start("/usr/bin/python3", [script, "in", "\(Self.port)", socket])
        try await inside.line()
    }
}
