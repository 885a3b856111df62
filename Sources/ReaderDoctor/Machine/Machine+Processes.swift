extension Machine {
    /// A program that runs.
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

    /// Whether a program of this name runs; the kernel knows the first 15 bytes.
    func isRunning(_ name: String) -> Bool { processes.contains { $0.name == name.prefix(15) } }

    /// The programs that have a device open, among those of this user: the system does not tell of others'. Whoever made
    /// a pseudo-terminal, as a simulated chip does, is the device itself and not one that has it open.
    func holders(of path: String) -> [Process] {
        let device = resolved(path)
        return processes.filter { process in
            let folder = "/proc/\(process.identifier)/fd"
            return names(folder).contains { linkTarget("\(folder)/\($0)") == device }
                && !isOtherEnd(process, of: device)
        }
    }

    /// Whether a program has the other end of a pseudo-terminal: it opened `ptmx`, and got this terminal's number.
    private func isOtherEnd(_ process: Process, of terminal: String) -> Bool {
        let folder = "/dev/pts/"
        guard terminal.hasPrefix(folder) else { return false }
        let index = terminal.dropFirst(folder.count)
        return names("/proc/\(process.identifier)/fd").contains { descriptor in
            linkTarget("/proc/\(process.identifier)/fd/\(descriptor)")?.hasSuffix("/ptmx") == true
                && lines("/proc/\(process.identifier)/fdinfo/\(descriptor)").contains("tty-index:\t\(index)")
        }
    }

    /// The kernel's modules that are loaded.
    var loadedModules: Set<String> {
        Set(lines("/proc/modules").compactMap { $0.split(separator: " ").first.map(String.init) })
    }

    /// Modules that are told not to load by themselves.
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

    /// To modprobe a dash and an underscore are the same.
    private func moduleName(_ word: Substring) -> String { String(word.map { $0 == "-" ? "_" : $0 }) }
}
