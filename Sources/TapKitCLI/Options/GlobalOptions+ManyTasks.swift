import ArgumentParser

extension GlobalOptions {
    /// The options about one task. Verbs that serve many refuse them.
    static let ofOneTask = ["--yes", "--accept", "--wait", "--card", "--cvc-file"]
    /// The verbs that serve many tasks.
    static let verbsOfManyTasks: Set = [ServeVerb._commandName, UIVerb._commandName]

    /// Refuses options that are about one task, for a verb that serves many.
    /// - Parameter instead: who says it at each task.
    func requireNothingOfOneTask(for verb: String, instead: String) throws {
        guard !isConfirmed, acceptedTexts.isEmpty, waitText == nil, cardText == nil, cvcFileText == nil else {
            let names = Self.ofOneTask.dropLast().joined(separator: ", ") + " or " + (Self.ofOneTask.last ?? "")
            throw ValidationError("The verb \(verb) does not take \(names): \(instead).")
        }
    }
}
