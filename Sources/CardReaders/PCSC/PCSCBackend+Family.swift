import SmartCard

extension ReaderKind {
    /// The PC/SC service (pcscd).
    public static let pcsc = ReaderKind(rawValue: "pcsc")
}

extension PCSCBackend {
    /// How the user names these readers.
    package static let family = ReaderFamily(
        .pcsc,
        [
            .init("pcsc", "any reader of the PC/SC service (pcscd) that has a card on it"),
            .init("pcsc:TEXT", "a PC/SC reader whose name contains TEXT"),
        ], survey: PCSCBackend()
    ) { PCSCBackend(nameContains: $0) }
}
