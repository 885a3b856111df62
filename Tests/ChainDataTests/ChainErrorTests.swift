import Bitcoin
import Testing

@testable import ChainData

@Suite struct ChainErrorTests {
    private static let print = CertificateFingerprint(SHA256.hash([]))
    static let all: [ChainError] =
        [
            .unreachable(.name, detail: "x"), .unreachable(.refused, detail: ""), .unreachable(.timedOut, detail: ""),
            .unreachable(.closed, detail: ""), .tls(.wrongHost, detail: ""), .tls(.untrusted, detail: ""),
            .tls(.handshake, detail: ""), .tls(.settings, detail: ""),
            .tls(.notStored(.diskFull), detail: "x"), .tls(.notStored(.cannotWrite), detail: ""),
            .proxy(detail: ""), .unauthorized(detail: ""),
            .rateLimited(retryAfter: .seconds(9)), .rateLimited(retryAfter: nil),
            .serverError(status: 500, message: ServerText("x")), .serverError(status: nil, message: ServerText("")),
            .malformed("x"), .tooLarge(limit: 5), .wrongNetwork(found: ServerText("test"), wanted: .main), .liar("x"),
            .unsupported("x"), .rejected(reason: ServerText("dust")), .rejected(reason: ServerText("non-final")),
            .cancelled,
        ] + (print.map { [.tls(.pinChanged(server: "h:1", known: $0, found: $0), detail: "")] } ?? [])

    @Test func messagesAreSentencesOfTheirOwn() {
        #expect(Self.all.count == 25)
        for error in Self.all {
            #expect(error.message.hasSuffix(".") && !error.message.contains("..") && !error.message.hasSuffix(": ."))
            #expect(error.description.hasPrefix(error.message))
            #expect(error.remedy.isEmpty || error.description.hasSuffix("(\(error.remedy))"))
        }
    }

    /// Whose lock is not open is sent again later.
    @Test(arguments: [("non-final", true), ("non-BIP68-final", true), ("dust", false)])
    func aTransactionThatIsTooEarlyIsToldSo(_ reason: String, _ isEarly: Bool) {
        let remedy = ChainError.rejected(reason: ServerText(reason)).remedy
        #expect(remedy.contains("not open yet") == isEarly && remedy.isEmpty != isEarly)
    }

    /// A wallet that is not open in the node is loaded there: no server of another kind is needed.
    @Test func aWalletThatIsNotLoadedIsToldSo() {
        let refusal = CoreAnswer.refusal(code: -18, message: ServerText("Requested wallet does not exist"))
        let error = #expect(throws: ChainError.self) { try refusal.value() }
        #expect(error?.code == .chainUnsupported && error?.remedy.contains("with loadwallet") == true)
    }

    @Test func asksAgainOnlyForWhatMayPass() {
        let transient = Self.all.filter(\.isTransient).map(\.code.rawValue)
        #expect(
            transient == [
                "chain_unreachable", "chain_unreachable", "chain_rate_limited", "chain_rate_limited",
                "chain_server_error",
            ])
    }
}
