import CardReaders
import SmartCard

/// Are tapkit's udev rules installed for a libnfc reader that is plugged in?
enum ReaderRulesCheck: DoctorCheck {
    static let name = "udev_rules"
    static let kinds: Set<ReaderKind> = [.nfc]
    /// Where a rules file of this name may be; udev uses the first that it finds.
    static let files = [
        "/etc/udev/rules.d/70-tapkit.rules", "/run/udev/rules.d/70-tapkit.rules",
        "/usr/lib/udev/rules.d/70-tapkit.rules",
        "/lib/udev/rules.d/70-tapkit.rules",
    ]

    static func findings(on machine: Machine, for wanted: WantedReader) -> [DoctorFinding] {
        let devices = machine.usbDevices.filter { $0.model?.isForNFC == true }
        guard !devices.isEmpty else { return [] }
        let file = files.first { machine.exists($0) }
        let lines = file.map { machine.lines($0) } ?? []
        return devices.map { device in
            guard !hasRule(for: device.identifier, in: lines) else {
                return fine("\(file ?? "") covers \(device.title)")
            }
            let evidence =
                file.map { "\($0) has no rule that gives users access to \(device.title)" }
                ?? "\(files[0]), which gives users access to \(device.title), is missing"
            let remedy = "\(SetupCommand.readerRules(on: machine)), then plug the reader back in"
            // Another package's rule may do as well.
            let isUsable = device.node.map { machine.access($0) == .granted } ?? false
            return isUsable ? note(evidence, remedy: remedy) : problem(evidence, remedy: remedy)
        }
    }

    /// Whether a line is about this device and gives access to the person at the machine.
    static func hasRule(for identifier: USBID, in lines: [String]) -> Bool {
        lines.contains { line in
            guard !line.hasPrefix("#"), line.contains(#"TAG+="uaccess""#) else { return false }
            return values("idVendor", in: line).contains(USBDevice.hex(identifier.vendor))
                && values("idProduct", in: line).contains(USBDevice.hex(identifier.product))
        }
    }

    /// The alternatives of `ATTR{key}=="a|b"` in a line.
    private static func values(_ key: String, in line: String) -> [String] {
        let parts = line.split(separator: #"{\#(key)}==""#, maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return [] }
        return parts[1].prefix { $0 != "\"" }.split(separator: "|").map(String.init)
    }
}
