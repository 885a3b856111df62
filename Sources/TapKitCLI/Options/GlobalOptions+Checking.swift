import ArgumentParser

/// What verbs check before they do anything.
extension GlobalOptions {
    /// Refuses, while the command line is read, what nobody can accept: before a card is looked for or a CVC asked.
    func validate() throws {
        do throws(Failure) { _ = try acceptance() } catch {
            throw ValidationError("\(error.message) \(error.hint)")
        }
    }

    /// Refuses a value that makes no sense, for verbs that have no use for it: every verb does.
    func requireSense() throws(Failure) {
        _ = (try network(), try customRoots(), try readerSpec(), try waiting(), try chainServer())
    }

    /// Refuses the same among what was typed, and looks at nothing that is set for all: for what must work whatever is set.
    func requireTypedSense() throws(Failure) {
        _ = (try typedNetwork(), try waiting())
        if !rootKeyTexts.isEmpty { _ = try customRoots() }
        if readerText != nil { _ = try namedReaderSpec() }
        if chainText != nil { _ = try chainServer() }
    }

    /// Refuses what would come from standard input twice.
    /// - Parameter inputs: what each is, and whether it is to come from there.
    static func requireOneInput(_ inputs: [(name: String, isStandardInput: Bool)]) throws(Failure) {
        let names = inputs.filter { $0.isStandardInput }.map { $0.name }
        guard names.count > 1 else { return }
        throw Failure(.usage, "\(names[0]) and \(names[1]) cannot both come from standard input.")
    }
}
