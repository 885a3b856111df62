/// How a file of tapkit's that is missing from the system is installed, whichever way tapkit itself was.
enum SetupCommand {
    /// What only the Debian package installs.
    static let packageMark = "/usr/share/doc/tapkit/copyright"
    /// Where the package has all rules as examples. udev reads new ones by itself.
    private static let examples = "/usr/share/doc/tapkit/examples"

    /// Keeps the kernel's NFC driver off readers.
    static func blacklist(on machine: Machine) -> String {
        machine.exists(packageMark)
            ? "echo blacklist pn533_usb | sudo tee /etc/modprobe.d/tapkit-blacklist.conf" : "sudo udev/setup.sh"
    }

    /// Lets the person at the machine use readers that libnfc drives.
    static func readerRules(on machine: Machine) -> String {
        placed("70-tapkit.rules", on: machine) ?? "sudo udev/setup.sh"
    }

    /// Lets the person at the machine use boards on serial ports, and keeps modem programs off them.
    static func serialRules(on machine: Machine) -> String {
        placed("71-tapkit-serial.rules", on: machine) ?? "sudo udev/setup.sh --serial"
    }

    private static func placed(_ rules: String, on machine: Machine) -> String? {
        machine.exists(packageMark) ? "sudo cp \(examples)/\(rules) /etc/udev/rules.d/" : nil
    }
}
