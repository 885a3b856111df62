/// The program at the other end of a connection, as the system reports it.
package struct Peer: Sendable, Equatable {
    /// The user that it runs as.
    package let user: UInt32
    /// Its process; 0 if unknown. By the time of a question, another program may have the number.
    package let process: Int32
    /// The name of its executable file; `nil` if unknown. Anyone may give a file any name.
    package let program: String?

    /// A program.
    package init(user: UInt32, process: Int32, program: String?) {
        (self.user, self.process, self.program) = (user, process, program)
    }

    /// For people: the program's name and its process.
    package var label: String {
        let name = program ?? "a program"
        return process > 0 ? "\(name) (process \(process))" : name
    }
}
