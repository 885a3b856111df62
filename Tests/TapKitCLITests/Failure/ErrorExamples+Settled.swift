@testable import TapManager

extension SettledError: ExemplifiedError {
    static func first(_ sample: Sample) -> Self { .confirmed(sample.id, confirmations: 1) }

    func next(_ sample: Sample) -> Self? {
        if case .confirmed = self { .replaced(sample.id, by: sample.id) } else { nil }
    }

    static func others(_ sample: Sample) -> [Self] { [.confirmed(sample.id, confirmations: 7)] }
}
