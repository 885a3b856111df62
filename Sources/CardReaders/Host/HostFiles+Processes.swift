/// A running program.
package struct HostProcess: Sendable, Equatable {
    /// The number of its process.
    package let identifier: Int
    /// The first 15 bytes of the program's name.
    package let name: String

    /// Name and number, for display.
    package var title: String { "\(name) (process \(identifier))" }
}

extension HostFiles {
    /// Every program that this user can see.
    package var processes: [HostProcess] {
        names("/proc").compactMap { folder in
            guard let identifier = Int(folder), let name = line("/proc/\(folder)/comm") else { return nil }
            return HostProcess(identifier: identifier, name: name)
        }
    }

    /// Whether a program with this name is running; the kernel keeps only the first 15 bytes.
    package func isRunning(_ name: String) -> Bool { processes.contains { $0.name == name.prefix(15) } }

    /// The programs of this user that have a device open; the system does not reveal those of others. A program that
    /// created a pseudo-terminal, as a simulated chip does, is the device itself and does not count.
    package func holders(of path: String) -> [HostProcess] {
        let device = resolved(path)
        return processes.filter { process in
            let folder = "/proc/\(process.identifier)/fd"
            return names(folder).contains { linkTarget("\(folder)/\($0)") == device }
                && !isOtherEnd(process, of: device)
        }
    }

    /// Whether a program has the other end of a pseudo-terminal: it opened `ptmx` and got this terminal's number.
    private func isOtherEnd(_ process: HostProcess, of terminal: String) -> Bool {
        let folder = "/dev/pts/"
        guard terminal.hasPrefix(folder) else { return false }
        let index = terminal.dropFirst(folder.count)
        return names("/proc/\(process.identifier)/fd").contains { descriptor in
            linkTarget("/proc/\(process.identifier)/fd/\(descriptor)")?.hasSuffix("/ptmx") == true
                && lines("/proc/\(process.identifier)/fdinfo/\(descriptor)").contains("tty-index:\t\(index)")
        }
    }
}
