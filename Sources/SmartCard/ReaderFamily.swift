/// The readers of one backend as people ask for them: by the name of their kind alone, or with a colon and a name behind it.
///
/// All that a program needs to know of a backend to offer it; the backend says it in its own folder.
package struct ReaderFamily: Sendable {
    /// One way to ask for such readers.
    package struct Form: Sendable {
        /// As it is typed: what stands for something else is in capitals.
        package let text: String
        /// Which readers are meant by it; part of a sentence.
        package let meaning: String

        package init(_ text: String, _ meaning: String) { (self.text, self.meaning) = (text, meaning) }
    }

    /// What drives these readers, and what stands before the colon.
    package let kind: ReaderKind
    /// The ways to ask for them.
    package let forms: [Form]
    /// What is looked through where nobody asked for a reader, and all are of interest; `nil`: nothing, for such a reader is there
    /// only if it is named.
    package let survey: (any ReaderBackend)?
    private let make: @Sendable (String?) -> (any ReaderBackend)?

    /// - Parameter make: the readers of a name, which is not empty, or of any where there is none; `nil` where that names none.
    package init(
        _ kind: ReaderKind, _ forms: [Form], survey: (any ReaderBackend)?,
        make: @escaping @Sendable (String?) -> (any ReaderBackend)?
    ) {
        (self.kind, self.forms, self.survey, self.make) = (kind, forms, survey, make)
    }

    /// The readers that somebody asks for; `nil` where the text is none of this family's.
    package func backend(_ text: String) -> (any ReaderBackend)? {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.first.map(String.init) == kind.rawValue else { return nil }
        return make(parts.count > 1 && !parts[1].isEmpty ? String(parts[1]) : nil)
    }
}
