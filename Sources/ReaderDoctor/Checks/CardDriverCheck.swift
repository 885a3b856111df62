/// Does a driver of the PC/SC service know the readers that are plugged in?
enum CardDriverCheck: DoctorCheck {
    static let name = "card_driver"
    static let backends: Set<WantedReader.Backend> = [.pcsc]

    static func findings(on machine: Machine, for wanted: WantedReader) -> [DoctorFinding] {
        let drivers = machine.cardDrivers
        return machine.usbDevices.compactMap { device in
            let isForPCSC = device.isCCID || device.model?.isForPCSC == true
            guard isForPCSC else { return strangerFinding(device) }
            guard !drivers.isEmpty else {
                return problem(
                    "no driver for \(device.title): there is no Info.plist in /usr/lib/pcsc/drivers",
                    remedy: "sudo apt-get install libccid, then plug the reader in again")
            }
            if drivers.contains(where: { $0.entries.contains { $0.identifier == device.identifier } }) {
                return fine("\(device.title) is known to the installed drivers")
            }
            // libnfc's readers that are no CCID readers are not PC/SC's business.
            guard device.isCCID || device.model?.kind == .pcsc else { return nil }
            return problem(
                "no installed driver lists \(device.title) (/etc/libccid_Info.plist)"
                    + (device.isCCID ? ", though it is of the CCID class" : ""),
                remedy: "install a newer libccid, from Debian's backports or the next release, or the maker's driver"
                    + (device.identifier.vendor == 0x072F ? " (Debian: libacsccid1)" : ""))
        }
    }

    /// A reader maker's device that speaks a language of its own.
    private static func strangerFinding(_ device: USBDevice) -> DoctorFinding? {
        guard device.model == nil, ReaderModel.makers.contains(device.identifier.vendor),
            device.interfaces.contains(where: { $0.number == 0xFF })
        else { return nil }
        return problem(
            "\(device.title) is vendor-specific: no CCID reader, and none that libnfc knows",
            remedy: "install its maker's PC/SC driver, or use another reader")
    }
}
