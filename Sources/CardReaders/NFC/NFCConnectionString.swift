import SmartCard

/// How libnfc names a device: `DRIVER:PORT[:SPEED]`, such as `pn532_uart:/dev/ttyUSB0`, or `DRIVER[:BUS[:DEVICE]]` on
/// USB.
///
/// Spec: libnfc, "connstring".
public struct NFCConnectionString: Sendable, Hashable, CustomStringConvertible {
    /// libnfc's own limit, including the final zero.
    static let capacity = 1024
    /// The longest port path that libnfc's drivers accept.
    static let longestPort = 127

    /// The text as libnfc accepts it.
    public let description: String
    /// The driver's name, such as `pn532_uart`.
    public let driver: String
    /// The path of the serial port (or SPI, I2C device) that the driver opens; `nil` for devices on USB.
    public let port: String?

    /// Parses a connection string; `nil` if libnfc could not use it either: the driver or the device is missing, a
    /// character is not allowed, or it is too long.
    public init?(_ text: String) {
        guard text.utf8.count < Self.capacity else { return nil }
        let parts = Self.parts(of: text)
        guard parts.count <= 3, parts.count > 1 || Self.usbDrivers.contains(text),
            parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { (0x21...0x7E).contains($0) } }),
            parts[0].utf8.allSatisfy({ $0 == UInt8(ascii: "_") || isLowerCaseOrDigit($0) })
        else { return nil }
        let isPort = parts.count > 1 && parts[1].hasPrefix("/")
        if isPort {
            guard parts[1].utf8.count <= Self.longestPort, parts.count == 2 || UInt32(parts[2]) != nil else {
                return nil
            }
        }
        description = text
        driver = parts[0]
        port = isPort ? parts[1] : nil
    }

    /// The whole name of a device on USB, by its driver and its file, `/dev/bus/usb/001/004`; `nil` if that names none.
    init?(driver: String, node: String) {
        self.init(([driver] + node.split(separator: "/").suffix(2).map(String.init)).joined(separator: ":"))
    }

    private static func parts(of text: String) -> [String] {
        text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    }

    /// The drivers that find their USB device themselves, so no further name is needed. “usb” stands for all of them.
    private static let usbDrivers: Set = ["pn53x_usb", "acr122_usb", anyUSBDriver]
    private static let anyUSBDriver = "usb"

    /// Whether the driver finds its device on USB.
    public var isOnUSB: Bool { Self.usbDrivers.contains(driver) }

    /// Whether this name, which may lack the device or the bus, stands for the device with the whole name.
    package func stands(for whole: NFCConnectionString) -> Bool {
        let numbers = Self.parts(of: description).dropFirst().map { Int($0) }
        return [whole.driver, Self.anyUSBDriver].contains(driver)
            && zip(numbers, Self.parts(of: whole.description).dropFirst()).allSatisfy { $0 != nil && $0 == Int($1) }
    }

    /// Whether the chip can wait for a card by itself and report it at once, so that frequent polling is not needed. USB
    /// readers with firmware of their own (ACR122U) hang when asked to.
    var letsChipWait: Bool { driver == "pn532_uart" }
}

private func isLowerCaseOrDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
}
