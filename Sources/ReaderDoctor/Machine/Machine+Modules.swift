import CardReaders

extension Machine {
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

    /// The module that a USB driver of the kernel's is part of: its name may be another one.
    func module(of driver: String) -> String {
        linkTarget("/sys/bus/usb/drivers/\(driver)/module")?.split(separator: "/").last.map(String.init) ?? driver
    }

    /// To modprobe, dashes and underscores are the same.
    private func moduleName(_ word: Substring) -> String { String(word.map { $0 == "-" ? "_" : $0 }) }
}
