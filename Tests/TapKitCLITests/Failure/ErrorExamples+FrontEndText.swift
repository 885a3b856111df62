import Bitcoin
import FrontEndText

extension NoPath: ExemplifiedError {
    static func first(_ sample: Sample) -> Self {
        do { _ = try DerivationPath(typed: "84h") } catch { return error }
        preconditionFailure("84h is a path")
    }

    func next(_ sample: Sample) -> Self? { nil }
}
