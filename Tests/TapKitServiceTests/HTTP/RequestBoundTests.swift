import TestSupport
import Testing

@testable import TapKitService

/// How much of a browser's request is read before it is let in.
@Suite struct RequestBoundTests {
    private func passes(_ pieces: [String], answered answer: String? = nil) -> Bool {
        var bound = RequestBound()
        if let answer { Array(answer.utf8).withUnsafeBytes { bound.answered($0) } }
        return pieces.allSatisfy { piece in Array(piece.utf8).withUnsafeBytes { bound.allows($0) } }
    }

    private let line = String(repeating: "a", count: 8_000) + "\r\n"

    @Test func aLineIsLimitedHoweverItArrives() {
        #expect(passes([line, line]))
        #expect(!passes([String(repeating: "a", count: 8_193)]))
        #expect(!passes([String](repeating: "a", count: 8_193)))
    }

    @Test func aHeadIsLimitedUntilItsBlankLine() {
        let seven = [String](repeating: line, count: 7)
        #expect(passes(seven + ["\r\n"] + seven) && passes(seven + ["\n"] + seven))
        #expect(!passes(seven + seven))
        // A line that is nearly blank does not end it.
        #expect(!passes(seven + ["a\n"] + seven) && !passes(seven + ["a\r\n"] + seven))
    }

    /// What passes has bounds, below which `PageGateTests` measure who reads it.
    @Test func theirTimeIsLinear() throws {
        for piece in ["a\r\n\r\n", "\n"] {
            try Scaling.expectLinear("requests \(piece.debugDescription)") { size in
                String(repeating: piece, count: size)
            } work: { text in
                #expect(passes([text]))
            }
        }
    }

    /// Of the server's answers, only one means that what follows is not a request.
    @Test(arguments: [
        ("HTTP/1.1 101 Switching Protocols\r\n", true), ("HTTP/1.1 200 OK\r\n", false),
        ("HTTP/1.1 403 Forbidden", false),
        ("HTTP/1.1 1", false),
    ])
    func whoWasLetInMaySendMore(_ answer: String, _ isLetIn: Bool) {
        #expect(passes([String](repeating: line, count: 20), answered: answer) == isLetIn)
    }
}
