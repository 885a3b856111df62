import Pinentry
import Terminal

extension Pinentry {
    /// The pinentry of this process's environment, ended by Ctrl-C; `nil` if there is none.
    static var here: Pinentry? { here(endedBy: Interruption.shared.readEnd) }

    /// The same, ended by something else.
    /// - Parameter interruption: becomes readable when nobody wants the answer any more.
    static func here(endedBy interruption: Int32) -> Pinentry? {
        Pinentry(environment: EnvironmentVariable.value, interruption: interruption)
    }
}
