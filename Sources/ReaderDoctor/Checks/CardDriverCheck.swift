import CardReaders
import SmartCard

/// Does a PC/SC driver support the readers that are plugged in?
enum CardDriverCheck: DoctorCheck {
    static let name = "card_driver"
    static let kinds: Set<ReaderKind> = [.pcsc]

    static func findings(on machine: Machine, for wanted: WantedReader) -> [DoctorFinding] {
        let drivers = machine.cardDrivers
        return machine.usbDevices.compactMap { device in
            let isForPCSC = device.isCCID || device.model?.isForPCSC == true
            guard isForPCSC else { return strangerFinding(device) }
            guard !drivers.isEmpty else {
                return problem(
                    "No driver for \(device.title): no Info.plist in /usr/lib/pcsc/drivers",
                    remedy: "sudo apt-get install libccid, then plug the reader back in")
            }
            if drivers.contains(where: { $0.entries.contains { $0.identifier == device.identifier } }) {
                return fine("\(device.title) is supported by an installed driver")
            }
            // libnfc's readers without CCID do not concern PC/SC.
            guard device.isCCID || device.model?.kind == .pcsc else { return nil }
            return problem(
                "No installed driver supports \(device.title) (/etc/libccid_Info.plist)"
                    + (device.isCCID ? ", although it is a CCID reader" : ""),
                remedy:
                    "Install a newer libccid (from Debian backports or the next release) or the manufacturer's driver"
                    + (isKnownToACS(device.identifier) ? " (Debian: libacsccid1)" : "")
                    + "; then \(machine.serviceRestart), and plug the reader back in")
        }
    }

    /// Whether Debian's package of ACS's driver knows the device: all of ACS's but the ACR1552, which is newer.
    private static func isKnownToACS(_ device: USBID) -> Bool {
        device.vendor == 0x072F && ![0x2303, 0x2308].contains(device.product)
    }

    /// A reader manufacturer's device with a proprietary protocol.
    private static func strangerFinding(_ device: USBDevice) -> DoctorFinding? {
        guard device.model == nil, ReaderModel.makers.contains(device.identifier.vendor),
            device.interfaces.contains(where: { $0.number == 0xFF })
        else { return nil }
        return problem(
            "\(device.title) uses a vendor-specific protocol: it is not a CCID reader, and libnfc does not support it",
            remedy: "Install the manufacturer's PC/SC driver, or use another reader")
    }
}
