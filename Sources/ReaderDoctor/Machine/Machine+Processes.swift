extension Machine {
    /// A running program.
    struct Process: Sendable {
        let identifier: Int
        /// The first 15 bytes of the program's name.
        let name: String
    }

    /// Every program that this user can see.
    var processes: [Process] {
        names("/proc").compactMap { folder in
            guard let identifier = Int(folder), let name = line("/proc/\(folder)/comm") else { return nil }
            return Process(identifier: identifier, name: name)
        }
    }

    /// Whether a program with this name is running; the kernel keeps only the first 15 bytes.
    func isRunning(_ name: String) -> Bool { processes.contains { $0.name == name.prefix(15) } }

    /// The programs of this user that have a device open; the system does not reveal those of others. A program that
    /// created a pseudo-terminal, as a simulated chip does, is the device itself and does not count.
    func holders(of path: String) -> [Process] {
        let device = resolved(path)
        return processes.filter { process in
            let folder = "/proc/\(process.identifier)/fd"
            return names(folder).contains { linkTarget("\(folder)/\($0)") == device }
                && !isOtherEnd(process, of: device)
        }
    }

    /// Whether a program has the other end of a pseudo-terminal: it opened `ptmx` and got this terminal's number.
    private func isOtherEnd(_ process: Process, of terminal: String) -> Bool {
        let folder = "/dev/pts/"
        guard terminal.hasPrefix(folder) else { return false }
        let index = terminal.dropFirst(folder.count)
        return names("/proc/\(process.identifier)/fd").contains { descriptor in
            linkTarget("/proc/\(process.identifier)/fd/\(descriptor)")?.hasSuffix("/ptmx") == true
                && lines("/proc/\(process.identifier)/fdinfo/\(descriptor)").contains("tty-index:\t\(index)")
        }
    }

    /// The loaded kernel modules.
    var loadedModules: Set<String> {
        Set(lines("/proc/modules").compactMap { $0.split(separator: " ").first.map(String.init) })
    }

    /// Modules that must not load by themselves.
    var blacklistedModules: Set<String> {
        let folders = [
            "/etc/modprobe.d", "/run/modprobe.d", "/usr/local/lib/modprobe.d", "/usr/lib/modprobe.d", "/lib/modprobe.d",
        ]
        var modules: Set<String> = []
        for folder in folders {
            for file in names(folder) where file.hasSuffix(".conf") {
                for line in lines("\(folder)/\(file)") {
                    let words = line.split(whereSeparator: \.isWhitespace)
                    if words.count == 2, words[0] == "blacklist" { modules.insert(moduleName(words[1])) }
                    if words.count >= 3, words[0] == "install", ["/bin/false", "/bin/true"].contains(words[2]) {
                        modules.insert(moduleName(words[1]))
                    }
                }
            }
        }
        return modules
    }

    /// To modprobe, dashes and underscores are the same.
    private func moduleName(_ word: Substring) -> String { String(word.map { $0 == "-" ? "_" : $0 }) }
}
