import TestSupport
import Testing

@testable import TapKitService

/// Who gets what. Each case differs from the page's own request in one point.
@Suite struct PageGateTests {
    private let gate = PageGate(hosts: ["127.0.0.1", "127.83.4.201"], port: 4_321)

    /// As the page itself asks.
    private func own(_ change: (inout PageGate.Request) -> Void = { _ in }) -> PageGate.Request {
        var request = PageGate.Request()
        request.host = "127.0.0.1:4321"
        request.origin = "http://127.0.0.1:4321"
        request.site = "same-origin"
        request.cookies = "tapkit-4321=abc"
        change(&request)
        return request
    }

    @Test func thePageGetsWhatItNeeds() {
        #expect(gate.verdict(on: own()) == .file("index.html"))
        #expect(gate.verdict(on: own { $0.path = "/app.js" }) == .file("app.js"))
        #expect(gate.verdict(on: own { $0.path = "/rpc" }) == .service(cookie: "abc"))
        #expect(gate.verdict(on: own { ($0.method, $0.path) = ("POST", "/session") }) == .session(cookie: "abc"))
        #expect(
            gate.verdict(on: own { ($0.method, $0.path, $0.cookies) = ("POST", "/session", nil) })
                == .session(cookie: nil))
    }

    @Test func anAddressThatAPersonOpensIsServed() {
        let opened = own {
            ($0.origin, $0.site, $0.cookies, $0.destination) = (nil, "none", nil, "document")
        }
        #expect(gate.verdict(on: opened) == .file("index.html"))
    }

    @Test(arguments: ["/", "/app.js", "/rpc", "/session"])
    private func othersGetNothing(_ path: String) {
        let changes: [(String, (inout PageGate.Request) -> Void)] = [
            ("another address of the loopback network", { $0.host = "127.83.4.202:4321" }),
            ("the other address's origin", { $0.origin = "http://127.83.4.201:4321" }),
            ("another name for this machine", { $0.host = "evil.example:4321" }),
            ("localhost", { $0.host = "localhost:4321" }), ("another port", { $0.host = "127.0.0.1:80" }),
            ("no host", { $0.host = nil }), ("two hosts", { $0.host = "127.0.0.1:4321, evil.example" }),
            ("another origin", { $0.origin = "http://evil.example" }),
            ("another port's origin", { $0.origin = "http://127.0.0.1:9000" }),
            ("a file's origin", { $0.origin = "null" }), ("another scheme", { $0.origin = "https://127.0.0.1:4321" }),
            ("another site", { $0.site = "cross-site" }), ("a neighbour", { $0.site = "same-site" }),
            ("a frame", { $0.destination = "iframe" }), ("an object", { $0.destination = "object" }),
        ]
        for (name, change) in changes {
            var request = own {
                $0.path = path
                if path == "/session" { $0.method = "POST" }
            }
            #expect(gate.verdict(on: request) != .forbidden)
            change(&request)
            #expect(gate.verdict(on: request) == .forbidden, "\(name)")
        }
    }

    @Test func thePageHasTwoAddresses() {
        let drawn = own { ($0.host, $0.origin) = ("127.83.4.201:4321", "http://127.83.4.201:4321") }
        #expect(gate.verdict(on: drawn) == .file("index.html"))
    }

    @Test func theServiceIsForThePageAlone() {
        #expect(gate.verdict(on: own { ($0.path, $0.cookies) = ("/rpc", nil) }) == .forbidden)
        #expect(
            gate.verdict(on: own { ($0.path, $0.cookies) = ("/rpc", "tapkit=abc; xtapkit-4321=abc; tapkit-4322=abc") })
                == .forbidden)
        #expect(
            gate.verdict(on: own { ($0.path, $0.cookies) = ("/rpc", "tapkit-4321=abc; tapkit-4321=def") }) == .forbidden
        )
        #expect(
            gate.verdict(on: own { ($0.path, $0.cookies) = ("/rpc", "a=b; tapkit-4321=abc; c=d") })
                == .service(cookie: "abc"))
        // A program that is no browser sends no origin.
        #expect(gate.verdict(on: own { ($0.path, $0.origin) = ("/rpc", nil) }) == .forbidden)
        #expect(
            gate.verdict(on: own { ($0.method, $0.path, $0.origin) = ("POST", "/session", nil) }) == .forbidden)
    }

    @Test func itsTimeIsLinear() throws {
        let changes: [(String, (inout PageGate.Request, String) -> Void)] = [
            ("path", { $0.path = "/app.js" + $1 }), ("host", { $0.host = "127.0.0.1:4321" + $1 }),
            ("origin", { $0.origin = "http://127.0.0.1:4321" + $1 }), ("site", { $0.site = "same-origin" + $1 }),
            ("destination", { $0.destination = "iframe" + $1 }),
            ("cookie", { ($0.path, $0.cookies) = ("/rpc", "tapkit-4321=abc" + $1) }),
        ]
        for (name, change) in changes {
            for piece in ["x", "; x=y", "\u{316}\u{301}"] {
                try Scaling.expectLinear("\(piece.debugDescription) of a \(name)", upTo: 1 << 14) { size in
                    own { change(&$0, String(repeating: piece, count: size)) }
                } work: { request in
                    _ = gate.verdict(on: request)
                }
            }
        }
    }

    @Test func onlyThePagesFilesAreServed() {
        for path in ["/nothing.js", "/../etc/passwd", "//index.html", "/index.html/", "/%69ndex.html", ""] {
            #expect(gate.verdict(on: own { $0.path = path }) == .notFound, "\(path)")
        }
        for path in ["/", "/app.js", "/rpc"] {
            #expect(gate.verdict(on: own { ($0.method, $0.path) = ("POST", path) }) == .methodNotAllowed)
        }
        #expect(gate.verdict(on: own { $0.path = "/session" }) == .methodNotAllowed)
    }
}
