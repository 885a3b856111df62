import TestSupport
import Testing

@testable import ChainData

/// Texts from servers whose letters have ever more accents, which Swift takes the square of the time to compare: they are
/// refused in time that grows as they do.
@Suite(.serialized) struct AccentScalingTests {
    /// One letter.
    private static func letter(_ size: Int) -> String { "b" + String(repeating: "\u{316}\u{301}", count: size) }

    private func expectLinear(
        _ what: String, sourceLocation: SourceLocation = #_sourceLocation,
        server: @escaping @Sendable (Int) throws -> @Sendable (ChainSettings) throws -> any ChainSource,
        work: @escaping @Sendable (any ChainSource) async throws -> Void
    ) async throws {
        var settings = ChainSettings.forTests(retries: 0)
        (settings.longestAnswer, settings.longestConversation) = (1 << 26, 1 << 30)
        try await BlockingThread.run { [settings] in
            try Scaling.expectLinear(
                what, from: 512, upTo: 1 << 14, sourceLocation: sourceLocation, input: server
            ) { open in
                try WaitingThread.run {
                    let source = try open(settings)
                    try await work(source)
                    await source.close()
                }
            }
        }
    }

    @Test func methodOfAnElectrumNotification() async throws {
        let tip = #"{"hex":"\#(ElectrumStandIn.genesisHeader)","height":0}"#
        try await expectLinear("accents of a method") { size in
            let notification = #"{"method":"\#(Self.letter(size))","params":[]}"#
            let server = try ElectrumStandIn { call in
                .line(Array((notification + "\n" + #"{"id":\#(call.id),"result":\#(tip)}"#).utf8))
            }
            return { settings in
                try ChainServer(parsing: "electrum:127.0.0.1:\(server.port):t")
                    .open(network: .regtest, settings: settings)
            }
        } work: { source in
            let error = await #expect(throws: ChainError.self) {
                try await source.waitForChange(of: [], timeout: .zero)
            }
            #expect(error?.code == .chainMalformed)
        }
    }

    @Test func chainOfACoreNode() async throws {
        try await expectLinear("accents of a chain's name") { size in
            let server = try CoreStandIn(chain: Self.letter(size)) { _, _ in nil }
            return { try server.source($0, hasWallet: false) }
        } work: { source in
            let error = await #expect(throws: ChainError.self) { try await source.tip() }
            #expect(error?.code == .chainMalformed)
        }
    }

    @Test(arguments: ["\u{316}\u{301}", "\u{1F1E6}\u{1F1F9}", "a\u{301}"])
    func reasonOfACoreNode(_ piece: String) async throws {
        try await expectLinear("letters of a reason") { size in
            let verdict = #"[{"allowed":false,"reject-reason":"t\#(String(repeating: piece, count: size))"}]"#
            let server = try CoreStandIn { method, _ in method == "testmempoolaccept" ? verdict : nil }
            return { try server.source($0, hasWallet: false) }
        } work: { source in
            let error = await #expect(throws: ChainError.self) { try await source.broadcast(Sample().transaction) }
            #expect(error?.code.rawValue == (piece == "a\u{301}" ? "transaction_rejected" : "chain_malformed"))
        }
    }

    @Test func descriptorOfACoreWallet() async throws {
        try await expectLinear("accents of a descriptor") { size in
            let descriptors = #"{"descriptors":[{"desc":"\#(Self.letter(size))","timestamp":0}]}"#
            let server = try CoreStandIn { method, _ in method == "listdescriptors" ? descriptors : nil }
            return { try server.source($0, hasWallet: true) }
        } work: { source in
            let error = await #expect(throws: ChainError.self) { try await source.unspent(of: [AnswerScaling.script]) }
            #expect(error?.code == .chainMalformed)
        }
    }
}
