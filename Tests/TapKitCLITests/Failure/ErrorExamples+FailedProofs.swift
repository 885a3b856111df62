import Bitcoin
import TapProtocol

@testable import TapManager

extension FailedProofs: ExemplifiedError {
    private static let tampered = CardVerification.Line(tampered: "something is wrong with it")

    private static func failed(_ proof: Proof) -> CardVerification.Line {
        CardVerification.Line(proof, holds: false, "something is wrong with it")
    }

    private static func failure(_ lines: [CardVerification.Line], _ refusal: FlowError? = nil) -> Self {
        let verification = CardVerification(proofs: lines, verdict: nil, isSimulated: false, refusal: refusal)
        guard let failure = FailedProofs(verification) else { preconditionFailure("no proof failed") }
        return failure
    }

    static func first(_ sample: Sample) -> Self { failure([tampered]) }

    func next(_ sample: Sample) -> Self? { nil }

    static func others(_ sample: Sample) -> [Self] {
        [
            failure([failed(.certificateChain), tampered]),
            failure([failed(.version)], .card(.badProof(.version, detail: "it was higher"))),
            failure([failed(.signature)], .card(.badProof(.signature, detail: "it is over something else"))),
        ]
    }
}
