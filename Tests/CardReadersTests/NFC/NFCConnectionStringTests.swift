import CardReaders
import Testing

@Suite struct NFCConnectionStringTests {
    @Test(
        arguments: [
            ("pn532_uart:/dev/ttyUSB0", "pn532_uart", "/dev/ttyUSB0"),
            (
                "pn532_uart:/dev/serial/by-id/usb-1a86_USB2.0-Serial-if00-port0:115200", "pn532_uart",
                "/dev/serial/by-id/usb-1a86_USB2.0-Serial-if00-port0"
            ),
            ("pn53x_usb:001:004", "pn53x_usb", nil),
            ("acr122_usb:1", "acr122_usb", nil),
            ("pn53x_usb", "pn53x_usb", nil),
        ] as [(String, String, String?)])
    func libnfcsNamesAreRead(text: String, driver: String, port: String?) throws {
        let connection = try #require(NFCConnectionString(text))
        #expect(connection.description == text)
        #expect(connection.driver == driver)
        #expect(connection.port == port)
    }

    @Test(arguments: [
        "", "pn532_uart", "pn532_uart:", ":/dev/ttyUSB0", "/dev/ttyUSB0", "PN532:/dev/ttyUSB0",
        "pn532_uart:/dev/tty USB0",
        "pn532_uart:/dev/ttyUSB0:", "pn532_uart:/dev/ttyUSB0:fast", "pn532_uart:/dev/ttyUSB0:115200:1",
        "pn532_uart:/dev/\u{1B}[2J", "pn532_uart:/" + String(repeating: "a", count: 127),
        "pn53x_usb:" + String(repeating: "1", count: 1024),
    ])
    func whatLibnfcCannotReadIsRefused(text: String) { #expect(NFCConnectionString(text) == nil) }
}
