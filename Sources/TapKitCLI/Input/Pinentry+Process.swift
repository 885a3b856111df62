import Pinentry

extension Pinentry {
    /// The one of this process's environment, which Ctrl-C ends; `nil` when there is none.
    static var here: Pinentry? {
        Pinentry(environment: EnvironmentVariable.value, interruption: Interruption.shared.readEnd)
    }
}
