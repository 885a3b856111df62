import Testing

@testable import TapProtocol

/// Runs `body`, which must throw a `TapError`, and returns it.
func tapError(
    from body: () throws -> some Any, at location: SourceLocation = #_sourceLocation
) throws -> TapError {
    let thrown = #expect(throws: TapError.self, sourceLocation: location) { _ = try body() }
    return try #require(thrown, sourceLocation: location)
}

/// Runs `body`, which must fail this proof.
func expectFailure(
    of proof: Proof, at location: SourceLocation = #_sourceLocation, from body: () throws -> some Any
) throws {
    guard case .badProof(let failed, _) = try tapError(from: body, at: location) else {
        Issue.record("Another error than a failed proof.", sourceLocation: location)
        return
    }
    #expect(failed == proof, sourceLocation: location)
}

/// Runs `body`, which must say that this field of the answer has the wrong shape.
func expectBadResponse(
    _ command: String, _ field: String, at location: SourceLocation = #_sourceLocation, from body: () throws -> some Any
) throws {
    let error = try tapError(from: body, at: location)
    guard case .badResponse(command, field, _) = error else {
        Issue.record("Another error than a bad `\(field)`: \(error)", sourceLocation: location)
        return
    }
}

/// Runs `body`, which must refuse its arguments before any card is asked.
func expectInvalidArgument(
    _ command: String, at location: SourceLocation = #_sourceLocation, from body: () throws -> some Any
) throws {
    let error = try tapError(from: body, at: location)
    guard case .invalidArgument(command, _) = error else {
        Issue.record("Another error than a refused argument: \(error)", sourceLocation: location)
        return
    }
}
