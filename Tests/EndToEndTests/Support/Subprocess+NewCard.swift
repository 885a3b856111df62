import Foundation
import TestSupport

extension Subprocess {
    /// Makes a simulated card, another one each time and the same ones in every run.
    /// - Parameters:
    ///   - file: the card's.
    ///   - options: for `sim new`.
    /// - Returns: what `sim new` said of the card.
    @discardableResult
    static func newCard(
        _ file: String, _ options: [String] = [], environment: [String: String?] = Workshop.nothing,
        directory: URL? = nil
    ) async throws -> [String: Any] {
        var randomness = CardSeed.next()
        return try await run(
            tapkit, ["sim", "new", file, "--json"] + randomness.seedOption() + options, environment: environment,
            directory: directory
        ).succeeded().json()
    }
}
