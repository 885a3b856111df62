import Bitcoin
import FrontEndText

extension NoPath: ExemplifiedError {
    static func first(_ sample: Sample) -> Self {
        do { _ = try DerivationPath(typed: "m/far") } catch { return error }
        preconditionFailure("m/far is a path")
    }

    func next(_ sample: Sample) -> Self? { nil }
}
