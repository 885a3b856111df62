/// How a file of tapkit's that is missing from the system is installed, whichever way tapkit itself was.
enum SetupCommand {
    /// What only the Debian package installs.
    static let packageMark = "/usr/share/doc/tapkit/copyright"
    /// Where the package has all these files as examples. udev and modprobe read new ones by themselves.
    private static let examples = "/usr/share/doc/tapkit/examples"

    /// Keeps the kernel's NFC driver off readers.
    static func blacklist(on machine: Machine) -> String {
        placed("tapkit-blacklist.conf", in: "/etc/modprobe.d/", on: machine) ?? "sudo udev/setup.sh"
    }

    /// Lets the person at the machine use readers that libnfc drives.
    static func readerRules(on machine: Machine) -> String {
        placed("70-tapkit.rules", in: "/etc/udev/rules.d/", on: machine) ?? "sudo udev/setup.sh"
    }

    /// Lets the person at the machine use boards on serial ports, and keeps modem programs off them.
    static func serialRules(on machine: Machine) -> String {
        placed("71-tapkit-serial.rules", in: "/etc/udev/rules.d/", on: machine) ?? "sudo udev/setup.sh --serial"
    }

    private static func placed(_ file: String, in folder: String, on machine: Machine) -> String? {
        machine.exists(packageMark) ? "sudo cp \(examples)/\(file) \(folder)" : nil
    }
}
