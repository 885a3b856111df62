import Pinentry
import Terminal

extension Pinentry {
    /// The pinentry of this process's environment, ended by Ctrl-C; `nil` if there is none.
    static var here: Pinentry? {
        Pinentry(environment: EnvironmentVariable.value, interruption: Interruption.shared.readEnd)
    }
}
