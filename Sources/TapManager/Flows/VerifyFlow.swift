import Bitcoin
import TapProtocol

/// Every proof that a card can give: without its CVC the certificates and its own key, with it the keys for money.
public struct VerifyFlow: Sendable {
    /// One proof and what came of it.
    public struct Line: Sendable, Equatable {
        /// Which proof.
        public let proof: Proof
        /// Whether it held.
        public let holds: Bool
        /// What it means, or why it failed.
        public let detail: String
    }

    /// All proofs that were asked for.
    public struct Report: Sendable, Equatable {
        /// In the order in which they were asked for; nothing is asked of a card after a proof has failed.
        public let proofs: [Line]
        /// Which root certified the card; `nil` when its certificates prove nothing.
        public let verdict: CertificateVerdict?

        /// Whether every proof held.
        public var holds: Bool { proofs.allSatisfy(\.holds) }
    }

    private let gate: CardGate
    private let cvc: CVC?

    /// A flow for one card, with its CVC if the keys for money are to be proven too.
    public init(gate: CardGate, cvc: CVC?) {
        self.gate = gate
        self.cvc = cvc
    }

    /// Asks for every proof.
    /// - Throws: `FlowError.card` for anything but a failed proof.
    public func run() async throws(FlowError) -> Report {
        let verdict: CertificateVerdict
        do throws(FlowError) {
            verdict = try await gate.verdict()
        } catch {
            return Report(proofs: [try Self.failed(error)], verdict: nil)
        }
        var proofs = [
            Line(proof: .cardKey, holds: true, detail: "the card holds the key that its certificates are about"),
            chain(verdict),
        ]
        let isAccepted = proofs.allSatisfy(\.holds)
        if let cvc, isAccepted, let path = try await gate.perform(repeatable: { $0.status.path }) {
            proofs += try await keys(at: path, cvc)
        }
        return Report(proofs: proofs, verdict: verdict)
    }

    private func chain(_ verdict: CertificateVerdict) -> Line {
        switch verdict {
        case .genuine: Line(proof: .certificateChain, holds: true, detail: "certified by the maker's factory")
        case .custom(let key): Line(proof: .certificateChain, holds: true, detail: "certified by your root \(key)")
        case .development:
            Line(proof: .certificateChain, holds: false, detail: "a development card of the maker, not a genuine one")
        case .unknown(let key):
            Line(proof: .certificateChain, holds: false, detail: "certified by the unknown root \(key)")
        }
    }

    private func keys(at path: DerivationPath, _ cvc: CVC) async throws(FlowError) -> [Line] {
        try await gate.waitOffSecurityDelay()
        do throws(FlowError) {
            let account = try await gate.perform { try AccountFlow.account(at: path, on: $0, cvc: cvc) }
            return [
                Line(
                    proof: .deriveSignature, holds: true,
                    detail: "master key \(account.masterFingerprint) made the key at \(account.path)"),
                Line(proof: .extendedKey, holds: true, detail: "`xpub` and `derive` agree"),
                Line(proof: .readSignature, holds: true, detail: "the card holds the key at \(account.path)"),
            ]
        } catch {
            return [try Self.failed(error)]
        }
    }

    private static func failed(_ error: FlowError) throws(FlowError) -> Line {
        guard case .card(.badProof(let proof, let detail)) = error else { throw error }
        return Line(proof: proof, holds: false, detail: detail)
    }
}
