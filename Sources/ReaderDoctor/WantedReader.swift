/// The readers that a person wants to use.
public struct WantedReader: Sendable, Equatable {
    /// What drives a reader.
    enum Backend: Sendable {
        case pcsc
        case nfc
    }

    let backends: Set<Backend>
    /// What a PC/SC reader's name must contain.
    let nameContains: String?
    /// The libnfc device that was named.
    let connstring: LibnfcDeviceName?
    /// The option with which people select a reader in this program, for remedies; empty if there is none.
    public var option = ""

    private init(_ backends: Set<Backend>, nameContains: String? = nil, connstring: LibnfcDeviceName? = nil) {
        self.backends = backends
        self.nameContains = nameContains
        self.connstring = connstring
    }

    /// Any reader of either kind.
    public static let any = WantedReader([.pcsc, .nfc])

    /// A PC/SC reader.
    /// - Parameter nameContains: a part of its name, ignoring case; `nil` for any name.
    public static func pcsc(nameContains: String? = nil) -> WantedReader { .init([.pcsc], nameContains: nameContains) }

    /// A libnfc device.
    /// - Parameter connstring: its libnfc name; `nil` for any device that libnfc is configured for or finds.
    public static func nfc(connstring: String? = nil) -> WantedReader {
        .init([.nfc], connstring: connstring.map(LibnfcDeviceName.init))
    }

    /// Whether a PC/SC reader is acceptable.
    public var allowsPCSC: Bool { backends.contains(.pcsc) }
    /// Whether only a libnfc device is acceptable.
    var isNFCOnly: Bool { backends == [.nfc] }

    /// How people select a reader in this program.
    func naming(_ reader: String) -> String { option.isEmpty ? reader : "\(option) \(reader)" }

    /// The named libnfc devices: those named to this program, otherwise those in libnfc's configuration.
    func nfcDevices(on machine: Machine) -> [LibnfcConfiguration.Device] {
        if let connstring {
            return [.init(connstring: connstring, source: option.isEmpty ? "named" : option, isOptional: false)]
        }
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
