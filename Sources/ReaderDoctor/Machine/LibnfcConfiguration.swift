import CardReaders

/// The devices that libnfc is configured to use, by its files and the environment.
struct LibnfcConfiguration: Sendable {
    /// A named device.
    struct Device: Sendable, Equatable {
        let connstring: LibnfcDeviceName
        /// Where it is named: a file, a variable, `--reader`.
        let source: String
        /// Whether the file says that it may be missing.
        let isOptional: Bool
    }

    /// The named devices.
    let devices: [Device]
    /// Whether libnfc also looks for other devices on USB.
    let scans: Bool
}

/// A device in libnfc's notation, valid or not: `pn532_uart:/dev/ttyUSB0:115200`.
struct LibnfcDeviceName: Sendable, Equatable, CustomStringConvertible {
    /// The whole text.
    let description: String
    /// What it names; `nil` if libnfc cannot parse it.
    let connection: NFCConnectionString?

    /// Accepts any text.
    init(_ text: String) {
        description = text
        connection = NFCConnectionString(text)
    }

    private static let portDrivers: Set = ["pn532_uart", "pn532_spi", "pn532_i2c", "arygon", "acr122s"]

    /// The serial port, bus or file that the driver opens; `nil` for devices on USB.
    var port: String? { connection?.port }

    /// Whether the driver finds its device on USB.
    var isOnUSB: Bool { connection?.isOnUSB ?? false }

    /// Why libnfc cannot open it; `nil` if the name is fine.
    var fault: String? {
        let parts = description.split(separator: ":", omittingEmptySubsequences: false)
        let driver = parts.first.map(String.init) ?? ""
        if isOnUSB { return nil }
        guard Self.portDrivers.contains(driver) else { return "Debian's libnfc has no driver “\(driver)”" }
        guard parts.count > 1, parts[1].hasPrefix("/") else { return "it names no port" }
        return connection == nil ? "its speed “\(parts.dropFirst(2).joined(separator: ":"))” is not a number" : nil
    }
}

extension Machine {
    private static let folder = "/etc/nfc"

    /// What libnfc's files and the environment configure. If `LIBNFC_DEVICE` is set, only it counts;
    /// `LIBNFC_DEFAULT_DEVICE` takes precedence over the files.
    var libnfc: LibnfcConfiguration {
        if let only = environment["LIBNFC_DEVICE"] {
            return LibnfcConfiguration(devices: [device(only, from: "LIBNFC_DEVICE")], scans: false)
        }
        let main = settings("\(Self.folder)/libnfc.conf")
        let scans = environment["LIBNFC_AUTO_SCAN"] ?? main["allow_autoscan"] ?? "true"
        return LibnfcConfiguration(devices: namedDevices(main), scans: ["true", "1", "yes"].contains(scans))
    }

    private func namedDevices(_ main: [String: String]) -> [LibnfcConfiguration.Device] {
        var devices: [LibnfcConfiguration.Device] = []
        if let text = environment["LIBNFC_DEFAULT_DEVICE"] {
            devices.append(device(text, from: "LIBNFC_DEFAULT_DEVICE"))
        }
        if let text = main["device.connstring"] {
            devices.append(
                device(text, from: "\(Self.folder)/libnfc.conf", isOptional: main["device.optional"] == "true"))
        }
        for file in names("\(Self.folder)/devices.d") where file.hasSuffix(".conf") {
            let path = "\(Self.folder)/devices.d/\(file)"
            let settings = settings(path)
            guard let text = settings["connstring"] else { continue }
            devices.append(device(text, from: path, isOptional: settings["optional"] == "true"))
        }
        return devices
    }

    private func device(
        _ text: String, from source: String, isOptional: Bool = false
    ) -> LibnfcConfiguration.Device {
        .init(connstring: LibnfcDeviceName(text), source: source, isOptional: isOptional)
    }

    /// Lines `key = value`, the value with or without quotes; `#` begins a comment.
    private func settings(_ path: String) -> [String: String] {
        var settings: [String: String] = [:]
        for line in lines(path) where !line.hasPrefix("#") {
            let parts = line.split(separator: "=", maxSplits: 1)
            guard parts.count == 2 else { continue }
            let value = TextTrim.spaces(parts[1])
            let isQuoted = value.count > 1 && value.hasPrefix("\"") && value.hasSuffix("\"")
            settings[TextTrim.spaces(parts[0])] = isQuoted ? String(value.dropFirst().dropLast()) : value
        }
        return settings
    }
}
