/// How a file of tapkit's that is missing from the system is installed, whichever way tapkit itself was.
enum SetupCommand {
    /// The list of the Debian package's files, which dpkg keeps.
    static let packageList = "/var/lib/dpkg/info/tapkit.list"
    /// The rules for serial ports, which the package only has as an example.
    private static let packagedSerialRules = "/usr/share/doc/tapkit/examples/71-tapkit-serial.rules"

    /// Keeps the kernel's NFC driver off readers.
    static func blacklist(on machine: Machine) -> String {
        machine.exists(packageList)
            ? "echo blacklist pn533_usb | sudo tee /etc/modprobe.d/tapkit-blacklist.conf" : "sudo udev/setup.sh"
    }

    /// Lets the person at the machine use readers that libnfc drives.
    static func readerRules(on machine: Machine) -> String {
        machine.exists(packageList) ? "sudo tapkit hwi installudevrules" : "sudo udev/setup.sh"
    }

    /// Lets the person at the machine use boards on serial ports, and keeps modem programs off them.
    static func serialRules(on machine: Machine) -> String {
        machine.exists(packageList)
            ? "sudo cp \(packagedSerialRules) /etc/udev/rules.d/ && sudo udevadm control --reload"
            : "sudo udev/setup.sh --serial"
    }
}
