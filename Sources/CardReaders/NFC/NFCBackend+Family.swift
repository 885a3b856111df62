import SmartCard

extension ReaderKind {
    /// libnfc.
    public static let nfc = ReaderKind(rawValue: "nfc")
}

extension NFCBackend {
    /// How the user names these readers. If none is named, they are looked for once.
    package static let family = ReaderFamily(
        .nfc,
        [
            .init("nfc", "the NFC reader that libnfc is configured for (/etc/nfc/libnfc.conf), or finds on USB"),
            .init(
                "nfc:CONNSTRING", "the NFC reader with this libnfc name, for example nfc:pn532_uart:/dev/ttyUSB0"),
        ], survey: NFCBackend(waitsForDevices: false)
    ) { name in
        guard let name else { return NFCBackend() }
        return NFCConnectionString(name).map { NFCBackend($0) }
    }
}
