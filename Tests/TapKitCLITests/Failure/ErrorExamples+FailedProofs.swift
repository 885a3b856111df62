import Bitcoin
import TapProtocol

@testable import TapManager

extension FailedProofs: ExemplifiedError {
    private static func failure(_ names: [String], _ refusal: FlowError? = nil) -> Self {
        let lines = names.map { CardVerification.Line($0, holds: false, "something is wrong with it") }
        let verification = CardVerification(proofs: lines, verdict: nil, isSimulated: false, refusal: refusal)
        guard let failure = FailedProofs(verification) else { preconditionFailure("no proof failed") }
        return failure
    }

    static func first(_ sample: Sample) -> Self { failure(["tampered"]) }

    func next(_ sample: Sample) -> Self? { nil }

    static func others(_ sample: Sample) -> [Self] {
        [
            failure(["certificate_chain", "tampered"]),
            failure(["version"], .card(.badProof(.version, detail: "it was higher"))),
            failure(["signature"], .card(.badProof(.signature, detail: "it is over something else"))),
        ]
    }
}
