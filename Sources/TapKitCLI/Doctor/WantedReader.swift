/// Which readers a person wants to use.
struct WantedReader: Sendable, Equatable {
    /// Who drives a reader.
    enum Backend: Sendable {
        case pcsc
        case nfc
    }

    let backends: Set<Backend>
    /// What a PC/SC reader's name must contain.
    let nameContains: String?
    /// The libnfc device that `--reader` names.
    let connstring: LibnfcDeviceName?

    private init(_ backends: Set<Backend>, nameContains: String? = nil, connstring: LibnfcDeviceName? = nil) {
        self.backends = backends
        self.nameContains = nameContains
        self.connstring = connstring
    }

    /// Any reader of either kind.
    static let any = WantedReader([.pcsc, .nfc])

    /// A PC/SC reader.
    static func pcsc(nameContains: String? = nil) -> WantedReader { .init([.pcsc], nameContains: nameContains) }

    /// A libnfc device.
    static func nfc(connstring: String? = nil) -> WantedReader {
        .init([.nfc], connstring: connstring.map(LibnfcDeviceName.init))
    }

    /// Whether a PC/SC reader would do.
    var allowsPCSC: Bool { backends.contains(.pcsc) }
    /// Whether only a libnfc device will do.
    var isNFCOnly: Bool { backends == [.nfc] }

    /// The libnfc devices that were named: by `--reader`, else in libnfc's configuration.
    func nfcDevices(on machine: Machine) -> [LibnfcConfiguration.Device] {
        if let connstring { return [.init(connstring: connstring, source: "--reader", isOptional: false)] }
        return machine.libnfc.devices
    }

    /// The serial ports of the named libnfc devices.
    func namedPorts(on machine: Machine) -> [String] {
        nfcDevices(on: machine).compactMap { $0.connstring.port }
    }

    /// Whether libnfc looks on USB by itself, so that every reader there counts.
    func scansUSB(on machine: Machine) -> Bool {
        if let connstring { return connstring.isOnUSB }
        let libnfc = machine.libnfc
        return libnfc.scans || libnfc.devices.contains { $0.connstring.isOnUSB }
    }
}
