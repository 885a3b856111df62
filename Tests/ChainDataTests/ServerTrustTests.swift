import Bitcoin
import Testing

@testable import ChainData

/// How servers are known, and that it never becomes less by itself.
@Suite struct ServerTrustTests {
    private static func pin(_ number: UInt8) -> ServerTrust {
        CertificateFingerprint(SHA256.hash([number])).map { .pinned($0) } ?? .plain
    }

    /// Each state, by what it proves.
    private static let states: [(trust: ServerTrust, rank: Int)] = [
        (.plain, 0), (pin(1), 1), (pin(2), 1), (.authority, 2),
    ]

    @Test func trustOnlyRises() {
        for (known, low) in Self.states {
            for (next, high) in Self.states {
                let isAllowed = high > low || known == next
                #expect(known.mayBecome(next) == isAllowed, "\(known) \(next)")
            }
        }
    }

    @Test func statesAreWrittenAndRead() {
        for (trust, _) in Self.states { #expect(ServerTrust(parsing: trust.description) == trust) }
        for text in ["", "Authority", "none", "ab"] { #expect(ServerTrust(parsing: text) == nil) }
    }

    /// Whatever somebody on the way shows, in whatever order: what was proven once is never taken for less.
    @Test func noOrderOfConnectionsLowersTrust() throws {
        for first in Self.states {
            for second in Self.states {
                for third in Self.states {
                    let pins = MemoryPins()
                    var (best, accepted) = (-1, [ServerTrust]())
                    for (trust, rank) in [first, second, third] {
                        do throws(ChainError) {
                            try pins.require(trust, of: "s:1", isLocal: false)
                            accepted.append(trust)
                            #expect(rank >= best)
                            best = rank
                        } catch {
                            #expect(rank < best || rank == 1)
                            #expect(error.code == .chainCertificateChanged)
                        }
                        #expect(pins.all["s:1"] == accepted.last)
                    }
                }
            }
        }
    }

    @Test func plainConnectionsWithinThisMachineAreNotRemembered() throws {
        let pins = MemoryPins()
        try pins.require(.plain, of: "127.0.0.1:1", isLocal: true)
        #expect(pins.all.isEmpty)
        try pins.save(.authority, in: "127.0.0.1:1")
        #expect(throws: ChainError.self) { try pins.require(.plain, of: "127.0.0.1:1", isLocal: true) }
    }

    @Test(arguments: [
        ("localhost", true), ("LOCALHOST", true), ("127.0.0.1", true), ("127.9.9.9", true), ("::1", true),
        ("0:0:0:0:0:0:0:1", true), ("127.0.0.1.example.org", false), ("127.example.org", false),
        ("localhost.org", false),
        ("10.0.0.1", false), ("::", false), ("::2", false), ("128.0.0.1", false), ("1.0.0.127", false), ("", false),
    ])
    func knowsThisMachine(_ host: String, _ isLoopback: Bool) {
        #expect(ServerAddress.isLoopback(host) == isLoopback)
    }
}
