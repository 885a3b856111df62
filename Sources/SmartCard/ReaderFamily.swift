/// How the user names the readers of one backend: by their kind alone, or by their kind, a colon and a name.
///
/// Everything that a program needs to know about a backend to offer it; each backend defines it in its own folder.
package struct ReaderFamily: Sendable {
    /// One way to name such readers.
    package struct Form: Sendable {
        /// The form to type, with placeholders in capitals.
        package let text: String
        /// The readers that it refers to; part of a sentence.
        package let meaning: String

        package init(_ text: String, _ meaning: String) { (self.text, self.meaning) = (text, meaning) }
    }

    /// The kind of these readers, and the text before the colon.
    package let kind: ReaderKind
    /// The ways to name them.
    package let forms: [Form]
    /// The backend to search if all readers are wanted and none was named; `nil`: such a reader exists only if it is
    /// named.
    package let survey: (any ReaderBackend)?
    private let make: @Sendable (String?) -> (any ReaderBackend)?

    /// - Parameter make: the readers with a name, which is not empty, or all readers if there is no name; `nil` if the
    ///   name is invalid.
    package init(
        _ kind: ReaderKind, _ forms: [Form], survey: (any ReaderBackend)?,
        make: @escaping @Sendable (String?) -> (any ReaderBackend)?
    ) {
        (self.kind, self.forms, self.survey, self.make) = (kind, forms, survey, make)
    }

    /// The readers that the text names, and the name after its colon, if any; `nil` if the text is not in this family's
    /// form.
    package func parse(_ text: String) -> (backend: any ReaderBackend, name: String?)? {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.first.map(String.init) == kind.rawValue else { return nil }
        let name = parts.count > 1 && !parts[1].isEmpty ? String(parts[1]) : nil
        return make(name).map { ($0, name) }
    }
}
