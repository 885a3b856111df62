import SmartCard

/// The devices that libnfc is configured for, and the USB devices that it could drive, found without asking libnfc.
struct NFCListing {
    /// The devices worth listing: those that are configured first. A device on USB is listed once: by its driver's
    /// name, which still stands for it after it was unplugged and plugged in again, or by its whole name if the driver
    /// has several.
    private(set) var connections: [NFCConnectionString] = []
    /// The USB devices that were left out because something else has them.
    private(set) var leftOut: [NFCUSBDevice] = []

    /// Looks at a computer.
    /// - Parameter scan: has libnfc itself look, at serial ports too; asked only if its configuration says so, and only
    ///   if nobody has a USB device that it would open as well.
    init(of host: any HostFiles, scan: () -> [String] = { [] }) {
        let configuration = host.libnfc
        let devices = host.nfcDevices
        let drivers = Dictionary(grouping: devices, by: \.connection.driver)
        func names(of devices: some Sequence<NFCUSBDevice>) -> [NFCConnectionString] {
            devices.filter(\.isListed).compactMap { device in
                let driver = device.connection.driver
                return drivers[driver]?.count == 1 ? NFCConnectionString(driver) : device.connection
            }
        }
        for named in configuration.devices {
            guard let connection = named.connstring.connection else { continue }
            guard connection.isOnUSB else {
                // libnfc would open an optional one to find out whether it is there, even if another program uses it.
                let isMissing = named.isOptional && connection.port.map { !host.isDevice($0) } ?? false
                if !isMissing { add(connection) }
                continue
            }
            let meant = devices.filter { connection.stands(for: $0.connection) }
            if meant.isEmpty, !named.isOptional { add(connection) }
            names(of: meant).prefix(1).forEach { add($0) }
            leaveOut(meant)
        }
        guard configuration.scans else { return }
        names(of: devices).forEach { add($0) }
        leaveOut(devices)
        guard configuration.scansPorts, devices.allSatisfy(\.isFree) else { return }
        for connection in scan().compactMap(NFCConnectionString.init) where !connection.isOnUSB { add(connection) }
    }

    private mutating func add(_ connection: NFCConnectionString) {
        if !connections.contains(connection) { connections.append(connection) }
    }

    private mutating func leaveOut(_ devices: [NFCUSBDevice]) {
        leftOut += devices.filter { device in
            !device.isListed && !leftOut.contains { $0.connection == device.connection }
        }
    }
}
