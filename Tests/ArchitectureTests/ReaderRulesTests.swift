import Foundation
import TestSupport
import Testing

/// The udev rules and the module blacklist, as `udev/setup.sh` installs them: what they do to every reader of the
/// handbook's table, and to nothing else.
@Suite struct ReaderRulesTests {
    private static let script = Vectors.root.appendingPathComponent("udev/setup.sh").path
    private static let places = [
        "70-tapkit.rules": "etc/udev/rules.d/70-tapkit.rules",
        "71-tapkit-serial.rules": "etc/udev/rules.d/71-tapkit-serial.rules",
        "tapkit-blacklist.conf": "etc/modprobe.d/tapkit-blacklist.conf",
    ]

    /// Everything installed below a temporary root.
    private struct Installed {
        let root: TemporaryFolder
        let readers: UdevRules
        let serial: UdevRules

        init() async throws {
            root = try TemporaryFolder()
            try await Subprocess.run(script, ["--serial", "--root", root.url.path]).succeeded()
            readers = try UdevRules(Self.text("70-tapkit.rules", root))
            serial = try UdevRules(Self.text("71-tapkit-serial.rules", root))
        }

        static func text(_ name: String, _ root: TemporaryFolder) throws -> String {
            try String(contentsOf: root.url.appendingPathComponent(places[name] ?? ""), encoding: .utf8)
        }
    }

    @Test func theInstalledFilesAreTheRepositorys() async throws {
        let installed = try await Installed()
        for (source, target) in Self.places {
            let ours = try Data(contentsOf: Vectors.root.appendingPathComponent("udev/\(source)"))
            #expect(try Data(contentsOf: installed.root.url.appendingPathComponent(target)) == ours, "\(source)")
            let mode = try FileManager.default.attributesOfItem(atPath: installed.root.path(target))[.posixPermissions]
            #expect(mode as? Int == 0o644)
        }
        let files = FileManager.default.enumerator(atPath: installed.root.url.path)?.compactMap { $0 as? String } ?? []
        #expect(Set(files.filter { $0.contains(".") && !$0.hasSuffix(".d") }) == Set(Self.places.values))
    }

    @Test func serialPortsAreLeftAloneUnlessAskedFor() async throws {
        let root = try TemporaryFolder()
        let serial = root.path(Self.places["71-tapkit-serial.rules"] ?? "")
        try await Subprocess.run(Self.script, ["--root", root.url.path]).succeeded()
        #expect(!FileManager.default.fileExists(atPath: serial))
        try await Subprocess.run(Self.script, ["--root", root.url.path, "--check"]).succeeded()
        #expect(try await Subprocess.run(Self.script, ["--serial", "--check", "--root", root.url.path]).status == 1)

        try await Subprocess.run(Self.script, ["--root", root.url.path, "--serial"]).succeeded()
        #expect(FileManager.default.fileExists(atPath: serial))
        let again = try await Subprocess.run(Self.script, ["--root", root.url.path, "--serial"]).succeeded()
        #expect(!again.text.contains("installed."))
        // Once there, it is kept up to date.
        try Data("# old\n".utf8).write(to: URL(fileURLWithPath: serial))
        #expect(try await Subprocess.run(Self.script, ["--root", root.url.path, "--check"]).status == 1)
        try await Subprocess.run(Self.script, ["--root", root.url.path]).succeeded()
        try await Subprocess.run(Self.script, ["--serial", "--check", "--root", root.url.path]).succeeded()
    }

    /// A tag for the person at the machine counts only before 73-seat-late.rules, a named reader only before
    /// 70-uaccess.rules; udev sorts all folders' files by name.
    @Test func theFilesComeBeforeThoseThatReadThem() {
        for name in Self.places.keys where name.hasSuffix(".rules") { #expect(name < "73-seat-late.rules") }
        #expect("70-tapkit.rules" < "70-uaccess.rules")
    }

    @Test func everyReaderOfTheTableGetsWhatItNeeds() async throws {
        let installed = try await Installed()
        let readers = try ReaderTable.readers()
        #expect(readers.count >= 25)
        #expect(Set(readers.map(\.driver)) == Set(ReaderTable.Driver.allCases))
        for reader in readers {
            let device = UdevDevice.usb(reader.vendor, reader.product)
            let port = UdevDevice.serialPort(reader.vendor, reader.product)
            for action in ["add", "change", "bind"] {
                let onUSB = installed.readers.outcome(for: device.with(action: action))
                #expect(onUSB == Self.expectation(of: reader.driver), "\(reader), \(action)")
                let onPort = installed.serial.outcome(for: port.with(action: action))
                #expect(onPort == (reader.driver == .serial ? Self.openPort : UdevOutcome()), "\(reader), \(action)")
                let bridge = installed.serial.outcome(for: device.with(action: action))
                let ignored = UdevOutcome(environment: ["ID_MM_DEVICE_IGNORE": "1"])
                #expect(bridge == (reader.driver == .serial ? ignored : UdevOutcome()), "\(reader), \(action)")
            }
            // Nothing is done to what goes, to a part of a device, or to a port that somebody else's rules are about.
            #expect(installed.readers.outcome(for: device.with(action: "remove")) == UdevOutcome())
            #expect(installed.serial.outcome(for: port.with(action: "remove")) == UdevOutcome())
            var part = device
            part.environment["DEVTYPE"] = "usb_interface"
            #expect(installed.readers.outcome(for: part) == UdevOutcome())
            #expect(installed.serial.outcome(for: part) == UdevOutcome())
            #expect(installed.readers.outcome(for: port) == UdevOutcome())
        }
    }

    /// Every id that the rules name is in the handbook's table, with the kind of driver that fits.
    @Test func noReaderIsMissingInTheTable() async throws {
        let installed = try await Installed()
        let table = try ReaderTable.readers()
        let onUSB = table.filter { ![.serial, .nobody].contains($0.driver) }.map { "\($0.vendor):\($0.product)" }
        #expect(Set(installed.readers.identifiers) == Set(onUSB))
        #expect(
            Set(installed.serial.identifiers)
                == Set(table.filter { $0.driver == .serial }.map { "\($0.vendor):\($0.product)" }))
        #expect(Set(table.map { "\($0.vendor):\($0.product)" }).count == table.count)
    }

    @Test func otherDevicesAreLeftAlone() async throws {
        let installed = try await Installed()
        let known = Set(try ReaderTable.readers().map { "\($0.vendor):\($0.product)" })
        let vendors = Set(known.map { String($0.prefix(4)) }).sorted() + ["1d6b", "046d", "1050", "0000", "ffff"]
        var random = SeededGenerator()
        var products = known.map { String($0.suffix(4)) }.sorted() + ["0000", "ffff"]
        for _ in 0..<200 {
            let digits = String(UInt16.random(in: 0...UInt16.max, using: &random), radix: 16)
            products.append(String(repeating: "0", count: 4 - digits.count) + digits)
        }
        for vendor in vendors {
            for product in products where !known.contains("\(vendor):\(product)") {
                #expect(installed.readers.outcome(for: .usb(vendor, product)) == UdevOutcome(), "\(vendor):\(product)")
                #expect(installed.serial.outcome(for: .usb(vendor, product)) == UdevOutcome(), "\(vendor):\(product)")
                #expect(installed.serial.outcome(for: .serialPort(vendor, product)) == UdevOutcome())
            }
        }
    }

    @Test func theKernelsDriversAreBlacklisted() throws {
        let text = try String(
            contentsOf: Vectors.root.appendingPathComponent("udev/tapkit-blacklist.conf"), encoding: .utf8)
        let lines = text.components(separatedBy: "\n").filter { !$0.isEmpty && !$0.hasPrefix("#") }
        #expect(lines == ["blacklist pn533_usb", "blacklist pn533", "blacklist nfc"])
    }

    /// The parser that all this rests on refuses what udev would pass over.
    @Test(arguments: [
        #"SUBSYSTEM="usb", TAG+="uaccess""#, #"TAG+="uaccess" GROUP="plugdev""#,
        #"ATTR{idVendor}=="72F0", TAG+="uaccess""#,
        #"ATTR{idVendor}=="072F", TAG+="uaccess""#, #"ATTR{idProduct}=="2200|", TAG+="uaccess""#, #"MODE="660""#,
        #"GROUP="plugdevs""#, #"GOTO="nowhere""#, #"LABEL="a", TAG+="b""#, #"ATTR{idVendor}=="072f""#,
        #"TAG+="uaccess", ATTR{idVendor}=="072f""#, #"TAGS+="uaccess""#, #"TAG+=uaccess"#, #"TAG+="uaccess","#,
        "LABEL=\"back\"\nGOTO=\"back\"", "LABEL=\"alone\"", "GOTO=\"twice\"\nLABEL=\"twice\"\nLABEL=\"twice\"",
        "TAG+=\"uaccess\", \\", "TAG+=\"“uaccess”\"", #"RUN+="/bin/sh""#,
    ])
    func malformedRulesAreRefused(_ text: String) {
        #expect(throws: UdevRules.Malformed.self) { try UdevRules(text) }
    }

    @Test func theParserReadsWhatIsWellFormed() throws {
        let rules = try UdevRules("# a\nACTION!=\"add\", GOTO=\"end\"\nATTR{a}==\"b\", \\\nTAG+=\"c\"\nLABEL=\"end\"\n")
        #expect(rules.rules.map(\.count) == [2, 2, 1])
        #expect(rules.outcome(for: UdevDevice(attributes: [["a": "b"]])).tags == ["c"])
        #expect(rules.outcome(for: UdevDevice(action: "change", attributes: [["a": "b"]])).tags.isEmpty)
        #expect(rules.outcome(for: UdevDevice(attributes: [["a": "x"]])).tags.isEmpty)
        // Both numbers must be one device's, not one the device's and one the hub's.
        let chain = try UdevRules("ATTRS{a}==\"1\", ATTRS{b}==\"2\", TAG+=\"c\"\n")
        #expect(chain.outcome(for: UdevDevice(attributes: [[:], ["a": "1"], ["b": "2"]])).tags.isEmpty)
        #expect(chain.outcome(for: UdevDevice(attributes: [[:], ["a": "1", "b": "2"]])).tags == ["c"])
    }

    private static let openPort = UdevOutcome(
        tags: ["uaccess"], group: "plugdev", mode: "0660", environment: ["ID_MM_PORT_IGNORE": "1"])

    private static func expectation(of driver: ReaderTable.Driver) -> UdevOutcome {
        switch driver {
        case .pcsc: UdevOutcome(environment: ["ID_SMARTCARD_READER": "1"])
        case .nfc: UdevOutcome(tags: ["uaccess"], group: "plugdev", mode: "0660")
        case .both:
            UdevOutcome(
                tags: ["uaccess"], group: "plugdev", mode: "0660", environment: ["ID_SMARTCARD_READER": "1"])
        case .serial, .nobody: UdevOutcome()
        }
    }
}

extension UdevDevice {
    /// The same device in another event.
    fileprivate func with(action: String) -> UdevDevice {
        var device = self
        device.action = action
        return device
    }
}

extension UdevRules {
    /// Every pair of numbers that a rule names.
    fileprivate var identifiers: [String] {
        rules.flatMap { items -> [String] in
            guard let vendor = items.first(where: { $0.attribute == "idVendor" })?.value,
                let products = items.first(where: { $0.attribute == "idProduct" })?.value
            else { return [] }
            return products.split(separator: "|").map { "\(vendor):\($0)" }
        }
    }
}
