/// The devices that libnfc is configured to use, by its files and the environment.
package struct LibnfcConfiguration: Sendable {
    /// A named device.
    package struct Device: Sendable, Equatable {
        /// Its name, valid or not.
        package let connstring: LibnfcDeviceName
        /// Where it is named: a file, a variable, `--reader`.
        package let source: String
        /// Whether the file says that it may be missing.
        package let isOptional: Bool

        /// A device that something names.
        package init(connstring: LibnfcDeviceName, source: String, isOptional: Bool) {
            (self.connstring, self.source, self.isOptional) = (connstring, source, isOptional)
        }
    }

    /// The named devices.
    package let devices: [Device]
    /// Whether libnfc also looks for other devices on USB.
    package let scans: Bool
    /// Whether it then also opens serial ports, whatever is connected to them.
    let scansPorts: Bool
}

/// A device in libnfc's notation, valid or not: `pn532_uart:/dev/ttyUSB0:115200`.
package struct LibnfcDeviceName: Sendable, Equatable, CustomStringConvertible {
    /// The whole text.
    package let description: String
    /// What it names; `nil` if libnfc cannot parse it.
    package let connection: NFCConnectionString?

    /// Accepts any text.
    package init(_ text: String) {
        description = text
        connection = NFCConnectionString(text)
    }

    private static let portDrivers: Set = ["pn532_uart", "pn532_spi", "pn532_i2c", "arygon", "acr122s"]

    /// The serial port, bus or file that the driver opens; `nil` for devices on USB.
    package var port: String? { connection?.port }

    /// Whether the driver finds its device on USB.
    package var isOnUSB: Bool { connection?.isOnUSB ?? false }

    /// Why libnfc cannot open it; `nil` if the name is fine.
    package var fault: String? {
        let parts = description.split(separator: ":", omittingEmptySubsequences: false)
        let driver = parts.first.map(String.init) ?? ""
        if isOnUSB { return nil }
        guard Self.portDrivers.contains(driver) else { return "Debian's libnfc has no driver “\(driver)”" }
        guard parts.count > 1, parts[1].hasPrefix("/") else { return "it names no port" }
        return connection == nil ? "its speed “\(parts.dropFirst(2).joined(separator: ":"))” is not a number" : nil
    }
}

/// Where libnfc's files are.
private let folder = "/etc/nfc"

extension HostFiles {
    /// What libnfc's files and the environment configure. If `LIBNFC_DEVICE` is set, only it counts;
    /// `LIBNFC_DEFAULT_DEVICE` takes precedence over the files.
    ///
    /// Spec: libnfc 1.8.0, `nfc_context_new` and `conf_load`. Unlike libnfc, which then looks on USB nevertheless,
    /// `LIBNFC_DEVICE` is taken at its word.
    package var libnfc: LibnfcConfiguration {
        if let only = environment["LIBNFC_DEVICE"] {
            let device = LibnfcConfiguration.Device(
                connstring: LibnfcDeviceName(only), source: "LIBNFC_DEVICE", isOptional: false)
            return LibnfcConfiguration(devices: [device], scans: false, scansPorts: false)
        }
        let main = settings("\(folder)/libnfc.conf")
        let scans = isOn("allow_autoscan", in: main, else: true, variable: "LIBNFC_AUTO_SCAN")
        return LibnfcConfiguration(
            devices: namedDevices(main), scans: scans,
            scansPorts: scans
                && isOn("allow_intrusive_scan", in: main, else: false, variable: "LIBNFC_INTRUSIVE_SCAN"))
    }

    private func namedDevices(_ main: [Setting]) -> [LibnfcConfiguration.Device] {
        var devices: [LibnfcConfiguration.Device] = []
        if let text = environment["LIBNFC_DEFAULT_DEVICE"] {
            devices.append(
                .init(connstring: LibnfcDeviceName(text), source: "LIBNFC_DEFAULT_DEVICE", isOptional: false))
        }
        let prefix = "device."
        let own = main.compactMap { $0.key.hasPrefix(prefix) ? Setting($0.key.dropFirst(prefix.count), $0.value) : nil }
        devices += self.devices(own, from: "\(folder)/libnfc.conf")
        for file in names("\(folder)/devices.d") where file.hasSuffix(".conf") {
            let path = "\(folder)/devices.d/\(file)"
            devices += self.devices(settings(path), from: path)
        }
        return devices
    }

    /// The devices in one file: a setting that the last device has already begins the next.
    private func devices(_ settings: [Setting], from source: String) -> [LibnfcConfiguration.Device] {
        var found: [[String: String]] = []
        for setting in settings where ["name", "connstring", "optional"].contains(setting.key) {
            if found.last.map({ $0[setting.key] != nil }) ?? true { found.append([:]) }
            found[found.count - 1][setting.key] = setting.value
        }
        return found.compactMap { device in
            device["connstring"].map {
                .init(
                    connstring: LibnfcDeviceName($0), source: source,
                    isOptional: device["optional"].map { Self.isOne($0, of: ["true", "True", "1"]) } ?? false)
            }
        }
    }

    /// A switch: the file's word counts, then the variable's, as far as libnfc understands them.
    private func isOn(_ key: String, in main: [Setting], else usual: Bool, variable: String) -> Bool {
        let words = main.filter { $0.key == key }.map(\.value) + [environment[variable]].compactMap(\.self)
        return words.reduce(usual) { isOn, word in
            isOn ? !Self.isOne(word, of: ["no", "false", "0"]) : Self.isOne(word, of: ["yes", "true", "1"])
        }
    }

    /// Whether a word is one of these. Compares bytes, as libnfc does: comparing a character with endless accents takes
    /// quadratic time.
    private static func isOne(_ word: String, of words: [String]) -> Bool {
        words.contains { $0.utf8.elementsEqual(word.utf8) }
    }

    /// Lines `key = value`, the value with or without quotes; `#` begins a comment. Keys that libnfc has are ASCII.
    private func settings(_ path: String) -> [Setting] {
        let quote = UInt8(ascii: "\"")
        return lines(path).compactMap { line in
            let bytes = line.utf8
            guard bytes.first != UInt8(ascii: "#"), let equals = bytes.firstIndex(of: UInt8(ascii: "=")) else {
                return nil
            }
            let (key, rest) = (TextTrim.spaces(Substring(bytes[..<equals])), bytes[equals...].dropFirst())
            guard !key.isEmpty, !rest.isEmpty, key.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
            let value = TextTrim.spaces(Substring(rest))
            let isQuoted = value.utf8.count > 1 && value.utf8.first == quote && value.utf8.last == quote
            return Setting(key, isQuoted ? String(Substring(value.utf8.dropFirst().dropLast())) : value)
        }
    }
}

/// A line of one of libnfc's files.
private struct Setting {
    let key: String
    let value: String

    init(_ key: some StringProtocol, _ value: String) { (self.key, self.value) = (String(key), value) }
}
