import TestSupport
import Testing

@testable import CardReaders

/// libnfc's files, read as libnfc reads them.
@Suite struct LibnfcConfigurationTests {
    @Test func aFileMayNameSeveralDevices() throws {
        let made = try MadeUpHost()
        made.write(
            "/etc/nfc/libnfc.conf",
            """
            device.name = "first"
            device.connstring = "pn532_uart:/dev/ttyUSB0"
            #device.connstring = "pn532_uart:/dev/ttyUSB9"
            device.optional = True
            device.connstring = pn532_uart:/dev/ttyUSB1

            """)
        made.write("/etc/nfc/devices.d/board.conf", "name = \"x\"\nconnstring = \"acr122_usb\"\noptional = no\n")
        made.environment["LIBNFC_DEFAULT_DEVICE"] = "pn53x_usb"
        let devices = made.files.libnfc.devices
        #expect(
            devices.map(\.connstring.description) == [
                "pn53x_usb", "pn532_uart:/dev/ttyUSB0", "pn532_uart:/dev/ttyUSB1", "acr122_usb",
            ])
        #expect(devices.map(\.isOptional) == [false, true, false, false])
        #expect(devices.map(\.source)[1...2] == ["/etc/nfc/libnfc.conf", "/etc/nfc/libnfc.conf"])
    }

    /// A word that libnfc does not know changes nothing.
    @Test(
        arguments: [
            (nil, nil, true), ("false", nil, false), ("no", nil, false), ("off", nil, true), ("true", "0", false),
            ("false", "yes", true), ("false", "maybe", false),
        ] as [(String?, String?, Bool)])
    func whetherItLooksOnUSB(_ file: String?, _ variable: String?, _ isExpected: Bool) throws {
        let made = try MadeUpHost()
        if let file { made.write("/etc/nfc/libnfc.conf", "allow_autoscan = \(file)\n") }
        made.environment["LIBNFC_AUTO_SCAN"] = variable
        #expect(made.files.libnfc.scans == isExpected)
        #expect(!made.files.libnfc.scansPorts)
        made.environment["LIBNFC_INTRUSIVE_SCAN"] = "1"
        #expect(made.files.libnfc.scansPorts == isExpected)
    }

    @Test func theirTimeIsLinear() throws {
        for (what, start, piece) in [
            ("devices", "", "device.connstring = pn532_uart:/dev/ttyUSB0\n"), ("switches", "", "allow_autoscan = no\n"),
            ("comments", "", "# x\n"), ("letters of a key", "device.", "x"), ("signs", "device.name", "="),
            ("parts of a name", "device.connstring = a", ":"), ("accents of a sign", "name =", "\u{316}\u{301}"),
            ("accents of a key", "device.name", "\u{316}\u{301}"),
            ("accents of a word", "allow_autoscan = no", "\u{316}\u{301}"),
            ("accents of a name", "device.connstring = a:", "\u{316}\u{301}"),
        ] {
            try Scaling.expectLinear(what, upTo: 1 << 14) { size in
                let made = try MadeUpHost()
                made.write("/etc/nfc/libnfc.conf", start + String(repeating: piece, count: size))
                return made
            } work: { made in
                _ = made.files.libnfc
            }
        }
    }
}
