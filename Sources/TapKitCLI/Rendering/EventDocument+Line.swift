import AnswerDocuments

extension EventDocument {
    /// For the user.
    var line: String {
        let what = event.split(separator: "_").joined(separator: " ")
        return ([what, spec] + [card?.words, problem].compactMap(\.self)).joined(
            separator: "  ")
    }
}
