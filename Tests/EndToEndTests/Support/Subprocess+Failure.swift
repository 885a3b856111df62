import TestSupport
import Testing

extension Subprocess {
    /// Expects that a command with `--json` failed in one way: this exit status, one JSON object with this error code,
    /// a message, and no trap.
    /// - Returns: the whole object.
    @discardableResult
    func expectFailure(
        _ status: Int32, _ code: String, at location: SourceLocation = #_sourceLocation
    ) throws -> [String: Any] {
        #expect(ending == .exited(status), "\(commandLine)\n\(text)\n\(errorText)", sourceLocation: location)
        let document = try json()
        let error = try #require(document["error"] as? [String: Any], sourceLocation: location)
        #expect(error["code"] as? String == code, "\(commandLine)\n\(error)", sourceLocation: location)
        #expect((error["message"] as? String)?.isEmpty == false, sourceLocation: location)
        return document
    }

    /// The hint of a failure.
    func hint() throws -> String {
        let error = try #require(try json()["error"] as? [String: Any])
        return try #require(error["hint"] as? String)
    }
}
