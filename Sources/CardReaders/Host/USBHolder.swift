/// What has claimed a USB device, so that nobody else can use it.
package enum USBHolder: Sendable, Equatable {
    /// A driver of the kernel, by its name.
    case kernel(driver: String)
    /// Programs; those that this user can see, which may be none.
    case programs([HostProcess])

    /// The programs that this user can see.
    private var programs: [HostProcess] { if case .programs(let programs) = self { programs } else { [] } }

    /// Whether this user can see that it is the PC/SC service.
    package var isSeenToBeService: Bool { programs.contains { $0.name == Self.serviceName } }

    /// Whether this user can see that it is a program other than the PC/SC service.
    package var isSeenToBeOther: Bool { !programs.isEmpty && !isSeenToBeService }

    fileprivate static let serviceName = "pcscd"
}

extension HostFiles {
    /// What has claimed a part of the device; `nil` if nothing has, so that it can be opened. A program that has the
    /// device open without having claimed a part of it does not count.
    package func holder(of device: USBDevice) -> USBHolder? {
        if let driver = device.kernelDrivers.first { return .kernel(driver: driver) }
        return device.isClaimedByProgram ? .programs(device.node.map(holders) ?? []) : nil
    }

    /// What has claimed the device, in a sentence without its end.
    package func claim(of device: USBDevice, by holder: USBHolder) -> String {
        switch holder {
        case .kernel(let driver): "The kernel driver \(driver) has claimed \(device.title)"
        case .programs(let programs) where !programs.isEmpty:
            "\(device.title) is in use by \(programs.map(\.title).joined(separator: ", "))"
        case .programs:
            "\(device.title) is in use by another program"
                + (isProbablyService(holder, of: device) ? ", probably \(USBHolder.serviceName)" : "")
        }
    }

    /// Whether what has claimed the device is the PC/SC service: this user sees that it is, or sees no program, while
    /// the service is running and would claim such a device.
    package func isProbablyService(_ holder: USBHolder, of device: USBDevice) -> Bool {
        guard case .programs(let programs) = holder else { return false }
        return holder.isSeenToBeService || (programs.isEmpty && interestsService(device))
    }

    /// Whether the PC/SC service may be about to claim a device that nobody has: it was plugged in less than 3 seconds
    /// ago, and the service is running and would claim such a device.
    func isAwaitingService(_ device: USBDevice) -> Bool {
        guard let connected = device.connected, connected < .seconds(3) else { return false }
        return interestsService(device)
    }

    /// Whether the PC/SC service is running and would claim such a device.
    private func interestsService(_ device: USBDevice) -> Bool {
        (device.isCCID || device.model?.isForPCSC == true) && isRunning(USBHolder.serviceName)
    }
}
