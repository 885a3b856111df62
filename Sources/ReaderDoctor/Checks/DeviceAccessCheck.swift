import CardReaders
import SmartCard

/// Does this user have permission to open the USB device of a libnfc reader?
enum DeviceAccessCheck: DoctorCheck {
    static let name = "device_access"
    static let kinds: Set<ReaderKind> = [.nfc]

    static func findings(on machine: Machine, for wanted: WantedReader) -> [DoctorFinding] {
        wanted.usbDevices(on: machine).compactMap { device in
            guard let node = device.node else { return nil }
            let access = machine.access(node)
            guard let complaint = access.complaint else {
                return fine("You have permission to use \(device.title), \(node)")
            }
            let evidence = "You do not have permission to open \(device.title), \(node): \(complaint)"
            let remedy = AccessRemedy.text(
                for: access, user: machine.user.name, setup: SetupCommand.readerRules(on: machine))
            // PC/SC can drive this reader too, and needs no user permissions.
            let isServed = device.model?.kind == .both && wanted.allowsPCSC
            return isServed ? note(evidence, remedy: remedy) : problem(evidence, remedy: remedy)
        }
    }
}

/// What to do about a device that a user has no permission to open.
enum AccessRemedy {
    /// - Parameter setup: the command that installs the udev rule for it.
    static func text(for access: DeviceAccess, user: String, setup: String) -> String {
        switch access {
        case .granted: ""
        case .missing: "Plug it back in"
        case .refused(_, _, let group, true):
            "sudo adduser \(user) \(group), then log in again; or, if you sit at this computer: \(setup), then plug it back in"
        case .refused(_, _, _, false):
            "\(setup), then plug it back in; over ssh you also need the group: sudo adduser \(user) plugdev"
        }
    }
}
