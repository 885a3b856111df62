import SmartCard

/// A USB device that one of libnfc's drivers has in its list, as the kernel describes it.
///
/// The kernel is always asked before libnfc. libnfc opens devices to find out which there are; whatever it opens by a
/// name without a device is the first on USB, of any kind; and `acr122_usb` resets a device before it claims it, which
/// takes it away from the program that has it. So libnfc does not look on USB itself, unless the user has it scan with
/// `allow_intrusive_scan`: it is given the whole name of one device that nobody has claimed.
///
/// A program that claims the device between this look and libnfc's opening still loses it. The PC/SC service does so
/// when a device is plugged in, so it is given the time for it. Each device that is plugged in gets new numbers, so a
/// whole name that is out of date stands for no device rather than for another.
package struct NFCUSBDevice: Sendable {
    /// What the kernel says.
    package let device: USBDevice
    /// Its whole name: driver, bus and device.
    package let connection: NFCConnectionString
    /// What has claimed it; `nil` if nothing has.
    let holder: USBHolder?
    /// Whether the PC/SC service may be about to claim it.
    let isAwaitingService: Bool

    /// Whether opening it disturbs nobody.
    var isFree: Bool { holder == nil && !isAwaitingService }

    /// Whether it is worth listing: it is free, or those who have it are told apart when it is opened. What the PC/SC
    /// service has, the service lists; what the kernel has, nobody can use.
    var isListed: Bool {
        switch holder {
        case nil: isFree
        case .kernel: false
        case .programs?: device.model?.isListedByService != true || holder?.isSeenToBeOther == true
        }
    }
}

extension HostFiles {
    /// The USB devices that libnfc could drive, whoever has them, in the order of their ports.
    package var nfcDevices: [NFCUSBDevice] {
        usbDevices.compactMap { device in
            guard let driver = device.model?.libnfcDriver, let node = device.node,
                let connection = NFCConnectionString(driver: driver, node: node)
            else { return nil }
            return NFCUSBDevice(
                device: device, connection: connection, holder: holder(of: device),
                isAwaitingService: isAwaitingService(device))
        }
    }

    /// The device on USB that a name stands for: the first that is free, otherwise the first.
    /// - Throws: `ReaderError.noReader` if there is none.
    func nfcDevice(named name: NFCConnectionString) throws(ReaderError) -> NFCUSBDevice {
        let meant = nfcDevices.filter { name.stands(for: $0.connection) }
        guard let device = meant.first(where: \.isFree) ?? meant.first else { throw NFCError.notPluggedIn(name) }
        return device
    }
}
