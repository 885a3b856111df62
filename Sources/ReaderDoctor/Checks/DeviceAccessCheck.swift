/// May this user open the USB device of a libnfc reader?
enum DeviceAccessCheck: DoctorCheck {
    static let name = "device_access"
    static let backends: Set<WantedReader.Backend> = [.nfc]

    static func findings(on machine: Machine, for wanted: WantedReader) -> [DoctorFinding] {
        guard wanted.scansUSB(on: machine) else { return [] }
        return machine.usbDevices.filter { $0.model?.isForNFC == true }.compactMap { device in
            guard let node = device.node else { return nil }
            let access = machine.access(node)
            guard let complaint = access.complaint else { return fine("you may use \(device.title), \(node)") }
            let evidence = "you may not open \(device.title), \(node): \(complaint)"
            let remedy = AccessRemedy.text(for: access, user: machine.user.name, setup: "sudo udev/setup.sh")
            // PC/SC serves this one too, and needs no rights of the user's.
            let isServed = device.model?.kind == .both && wanted.allowsPCSC
            return isServed ? note(evidence, remedy: remedy) : problem(evidence, remedy: remedy)
        }
    }
}

/// What to do about a device that a user may not open.
enum AccessRemedy {
    /// - Parameter setup: the command that installs the rule for it.
    static func text(for access: DeviceAccess, user: String, setup: String) -> String {
        switch access {
        case .granted: ""
        case .missing: "plug it in again"
        case .refused(_, _, let group, true):
            "sudo adduser \(user) \(group), then log in again; or, at the machine itself: \(setup), then plug it in again"
        case .refused(_, _, _, false):
            "\(setup), then plug it in again; who works over ssh needs the group too: sudo adduser \(user) plugdev"
        }
    }
}
