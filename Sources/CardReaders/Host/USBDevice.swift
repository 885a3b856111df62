/// The numbers that identify USB devices.
package struct USBID: Sendable, Hashable, CustomStringConvertible {
    /// The vendor's number.
    package let vendor: UInt16
    /// The number that the vendor gave the product.
    package let product: UInt16

    /// The vendor's and the product's number.
    package init(_ vendor: UInt16, _ product: UInt16) {
        self.vendor = vendor
        self.product = product
    }

    /// In the form that `lsusb` uses: `072f:2200`.
    package var description: String { "\(USBDevice.hex(vendor)):\(USBDevice.hex(product))" }
}

/// A USB device as the kernel describes it in `/sys/bus/usb/devices`.
package struct USBDevice: Sendable {
    /// The driver that the kernel names where a program has claimed an interface.
    private static let programDriver = "usbfs"

    /// A part of a device that a driver can claim.
    package struct Interface: Sendable {
        /// The class of the interface: 0x0b is a smart-card reader, 0x03 a keyboard or similar.
        package let number: UInt8
        /// 1 in a keyboard's interface.
        package let protocolNumber: UInt8
        /// The kernel's driver; `usbfs` stands for a program; `nil` if there is none.
        package let driver: String?
        /// The serial ports that the driver created for it, such as `ttyUSB0`.
        package let serialPorts: [String]
    }

    /// Where it is plugged in, such as `1-2`.
    package let port: String
    /// Vendor and product.
    package let identifier: USBID
    /// The manufacturer's version number, binary-coded decimal: 0x0214 is 2.14.
    package let release: UInt16?
    /// Manufacturer and product, as the device names them.
    package let ownName: String
    /// Its file: `/dev/bus/usb/001/004`; `nil` if the kernel does not show it.
    package let node: String?
    /// For how long it has been plugged in; `nil` if the kernel does not show it.
    let connected: Duration?
    /// Its parts.
    package let interfaces: [Interface]

    /// Whether a part of it is a standard smart-card reader.
    package var isCCID: Bool { interfaces.contains { $0.number == 0x0B } }

    /// The kernel's own drivers that have claimed a part of it.
    package var kernelDrivers: [String] { interfaces.compactMap(\.driver).filter { $0 != Self.programDriver } }

    /// Whether a program has claimed a part of it.
    package var isClaimedByProgram: Bool { interfaces.contains { $0.driver == Self.programDriver } }

    /// Whether a part of it is a keyboard.
    package var isKeyboard: Bool { interfaces.contains { $0.number == 0x03 && $0.protocolNumber == 1 } }

    /// The serial ports that it provides, such as `ttyUSB0`.
    package var serialPorts: [String] { interfaces.flatMap { $0.serialPorts } }

    /// The model, if tapkit knows it.
    package var model: ReaderModel? { ReaderModel.all.first { $0.identifier == identifier } }

    /// Name, numbers and port, for display.
    package var title: String {
        let name = model?.name ?? (ownName.isEmpty ? "USB device" : ownName)
        return "\(name) (\(identifier)) at USB \(port)"
    }

    /// Four lower-case hexadecimal digits.
    package static func hex(_ number: UInt16) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 4 - digits.count) + digits
    }
}

/// Where the kernel describes them.
private let folderOfDevices = "/sys/bus/usb/devices"

extension HostFiles {
    /// Whether this machine has USB at all.
    package var hasUSB: Bool { exists(folderOfDevices) }

    /// Every USB device, including hubs.
    package var usbDevices: [USBDevice] {
        let names = names(folderOfDevices)
        return names.filter { !$0.contains(":") }.compactMap { device($0, among: names) }
    }

    private func device(_ name: String, among names: [String]) -> USBDevice? {
        let folder = "\(folderOfDevices)/\(name)"
        guard let vendor = hex("\(folder)/idVendor"), let product = hex("\(folder)/idProduct") else { return nil }
        let words = [line("\(folder)/manufacturer"), line("\(folder)/product")].compactMap { $0 }
        return USBDevice(
            port: name, identifier: USBID(vendor, product), release: hex("\(folder)/bcdDevice"),
            ownName: TextTrim.spaces(words.joined(separator: " ")), node: node(folder),
            connected: line("\(folder)/power/connected_duration").flatMap { Int64($0) }.map { .milliseconds($0) },
            interfaces: names.filter { $0.hasPrefix("\(name):") }.map { interface("\(folderOfDevices)/\($0)") })
    }

    private func node(_ folder: String) -> String? {
        guard let bus = line("\(folder)/busnum").flatMap({ Int($0) }),
            let number = line("\(folder)/devnum").flatMap({ Int($0) })
        else { return nil }
        return "/dev/bus/usb/\(padded(bus))/\(padded(number))"
    }

    private func padded(_ number: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, 3 - digits.count)) + digits
    }

    private func interface(_ folder: String) -> USBDevice.Interface {
        let driver = linkTarget("\(folder)/driver")?.split(separator: "/").last.map(String.init)
        // ttyUSB0 is in the interface's folder, ttyACM0 in its folder "tty".
        let ports = (names(folder) + names("\(folder)/tty")).filter { $0.hasPrefix("ttyUSB") || $0.hasPrefix("ttyACM") }
        return USBDevice.Interface(
            number: UInt8(truncatingIfNeeded: hex("\(folder)/bInterfaceClass") ?? 0),
            protocolNumber: UInt8(truncatingIfNeeded: hex("\(folder)/bInterfaceProtocol") ?? 0), driver: driver,
            serialPorts: ports)
    }

    private func hex(_ path: String) -> UInt16? { line(path).flatMap { UInt16($0, radix: 16) } }
}
