import ArgumentParser

extension GlobalOptions {
    /// Refuses options that are about one task, for a verb that serves many.
    /// - Parameter instead: who says it at each task.
    func requireNothingOfOneTask(for verb: String, instead: String) throws {
        guard !isConfirmed, acceptedTexts.isEmpty, waitText == nil, cardText == nil, cvcOptions.path == nil else {
            throw ValidationError(
                "The verb \(verb) does not take --yes, --accept, --wait, --card or --cvc-file: \(instead).")
        }
    }
}
