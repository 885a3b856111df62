import TestSupport
import Testing

@testable import TapKitService

/// What of a browser's bytes passes before it is let in.
@Suite struct RequestBoundTests {
    /// What comes from outside or, after "<", from inside.
    private func fault(_ pieces: [String]) -> RequestBound.Fault? {
        var bound = RequestBound()
        for piece in pieces {
            if piece.hasPrefix("<") {
                Array(piece.utf8.dropFirst()).withUnsafeBytes { bound.answered($0) }
            } else if let fault = Array(piece.utf8).withUnsafeBytes({ bound.fault(in: $0) }) {
                return fault
            }
        }
        return nil
    }

    private let get = "GET / HTTP/1.1\r\n"
    private let header = "X: " + String(repeating: "a", count: 8_000) + "\r\n"
    private let answer = "<HTTP/1.1 403 Forbidden\r\n"

    @Test func aLineIsLimitedHoweverItArrives() {
        #expect(fault([get, header]) == nil)
        #expect(fault([String(repeating: "a", count: 8_193)]) == .head)
        #expect(fault([String](repeating: "a", count: 8_193)) == .head)
    }

    @Test func aHeadIsLimitedUntilItsBlankLine() {
        let seven = [get] + [String](repeating: header, count: 7)
        for end in ["\r\n", "\n"] { #expect(fault(seven + [end, answer] + seven + [end]) == nil) }
        #expect(fault(seven + seven.dropFirst()) == .head)
        // A line that is nearly blank does not end it.
        #expect(fault(seven + ["a:\r\n"] + seven.dropFirst()) == .head)
    }

    /// What passes has bounds, below which `PageGateTests` measure who reads it.
    @Test func itsTimeIsLinear() throws {
        try Scaling.expectLinear("requests") { size in
            [String](repeating: "GET / HTTP/1.1\r\na: b\r\n\r\n", count: size)
        } work: { texts in
            #expect(fault(texts.flatMap { [$0, answer] }) == nil)
        }
    }

    /// Of the server's answers, only one means that what follows is not a request.
    @Test(arguments: [
        ("<HTTP/1.1 101 Switching Protocols\r\n", true), ("<HTTP/1.1 200 OK\r\n", false),
        ("<HTTP/1.1 403 Forbidden", false), ("<HTTP/1.1 1", false),
    ])
    func whoWasLetInMaySendAnything(_ answer: String, _ isLetIn: Bool) {
        #expect((fault([get, "\r\n", answer] + [String](repeating: header, count: 20)) == nil) == isLetIn)
        // Not for what was sent before, nor in the middle of a request.
        #expect(fault([get, answer] + [String](repeating: header, count: 20)) == .head)
    }

    /// A web page chooses a body, also one that looks like a request of the page's own.
    @Test func noBodyIsTakenForARequest() {
        let smuggled = "GET /rpc HTTP/1.1\r\n\r\n"
        func post(_ length: Int) -> String { "POST / HTTP/1.1\r\ncontent-LENGTH:  \(length)\r\n\r\n" }
        #expect(fault([post(smuggled.utf8.count) + smuggled, answer, get]) == nil)
        // A body longer than that ends in no other request, whether it comes with the head or later.
        #expect(fault([post(1_025)]) == .body && fault([post(2_200_000) + smuggled]) == .body)
        #expect(fault([post(1_024), String(repeating: "a", count: 1_024)]) == nil)
        #expect(fault([post(3) + "abc" + smuggled]) == .form && fault([post(3), "abc", smuggled]) == .form)
        #expect(fault([get + "\r\n" + smuggled]) == .form && fault([post(0), "a"]) == .form)
        let tooLong = "POST / HTTP/1.1\r\nContent-Length: \(String(repeating: "9", count: 30))\r\n\r\n"
        #expect(fault([tooLong]) == .body)
    }

    /// What browsers never write, and readers understand differently.
    @Test(arguments: [
        "Transfer-Encoding: chunked", "Content-Length: 1\r\nContent-Length: 1", "Content-Length: +1",
        "Content-Length: 1, 1", "Content-Length: ", "Content-Length : 1", " Content-Length: 1", "\tb", "nothing", ": a",
        "A: b\rContent-Length: 1", "A: \0", "A: b\r",
    ])
    func aHeadIsAsBrowsersWriteIt(_ lines: String) {
        #expect(fault([get + lines + "\r\n\r\n"]) == .form)
        #expect(fault([get + "A: \u{e4}\tb\r\n\r\n", answer]) == nil)
        #expect(fault(["\r\n" + get]) == .form)
    }
}
