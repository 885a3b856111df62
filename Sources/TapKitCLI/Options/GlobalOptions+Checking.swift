import ArgumentParser

/// Checks that verbs make before doing anything.
extension GlobalOptions {
    /// Refuses invalid values of `--accept`, and an empty `--card`, while the command line is parsed, before a card or CVC
    /// is needed.
    func validate() throws {
        guard cardText?.isEmpty != true else {
            throw ValidationError("--card takes a part of a card's ident, not an empty text.")
        }
        do throws(Failure) { _ = try acceptance() } catch {
            throw ValidationError("\(error.message) \(error.hint)")
        }
    }

    /// Refuses invalid values of options, even in verbs that do not use them.
    func requireSense() throws(Failure) {
        _ = (try network(), try customRoots(), try readerSpec(), try waiting(), try chainServer())
    }

    /// Refuses the same, but only for options that were typed: for verbs that must work whatever is configured.
    func requireTypedSense() throws(Failure) {
        _ = (try typedNetwork(), try waiting())
        if !rootKeyTexts.isEmpty { _ = try customRoots() }
        if readerText != nil { _ = try namedReaderSpec() }
        if chainText != nil { _ = try chainServer() }
    }

    /// Refuses to read two inputs from standard input.
    /// - Parameter inputs: what each is, and whether it comes from standard input.
    static func requireOneInput(_ inputs: [(name: String, isStandardInput: Bool)]) throws(Failure) {
        let names = inputs.filter { $0.isStandardInput }.map { $0.name }
        guard names.count > 1 else { return }
        throw Failure(
            .usage, "\(names[0]) and \(names[1]) cannot both come from standard input.",
            hint: "Name a file for one of them, or use the shell's <(…).")
    }
}
