import SmartCard

@testable import TapProtocol

/// How a call ended, in words that can be compared and counted.
struct Outcome: Equatable, CustomStringConvertible {
    let description: String

    static let success = Outcome(description: "success")

    init(description: String) { self.description = description }

    init(_ error: TapError) {
        description =
            switch error {
            case .reader(let error): "reader \(error.code.rawValue)"
            case .card(let error, let command): "card \(error.number) \(command)"
            case .wrongCVC(.atMost(let count)): "wrong_cvc at most \(count)"
            case .wrongCVC(.delayed(let seconds)): "wrong_cvc delayed \(seconds)"
            case .rateLimited(let seconds): "rate_limited \(seconds)"
            case .badProof(let proof, _): "bad_proof \(proof.rawValue)"
            case .cvcNeeded(let command): "cvc_needed \(command)"
            case .invalidArgument(let command, _): "bad_argument \(command)"
            case .notSupported(let command, _): "not_supported \(command)"
            case .badResponse(let command, let field, _): "bad_response \(command) \(field)"
            case .anotherCard(let expected, let found): "another_card \(expected) \(found)"
            case .notATapCard, .statusWord, .invalidCVC, .weakRandomness, .badBackup, .unprovenCVC: error.code.rawValue
            }
    }

    /// The first word, and for refusals and failed proofs the second.
    var kind: String {
        let words = description.split(separator: " ")
        let isFine = ["reader", "card", "bad_proof", "wrong_cvc"].contains(words.first)
        return words.prefix(isFine ? 2 : 1).joined(separator: " ")
    }

    func isOf(_ kinds: String...) -> Bool { kinds.contains { description.hasPrefix($0) } }

    /// Whether the line must be opened anew afterwards.
    static func breaksLine(_ error: TapError) -> Bool {
        switch error {
        case .reader, .notATapCard, .anotherCard, .statusWord: true
        default: false
        }
    }
}
