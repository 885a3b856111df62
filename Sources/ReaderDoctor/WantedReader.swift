import CardReaders
import SmartCard

/// The readers that a person wants to use.
public struct WantedReader: Sendable, Equatable {
    let kinds: Set<ReaderKind>
    /// The name that was given with the kind; `nil`: any reader of these kinds.
    private let name: String?
    /// The option with which people select a reader in this program, for remedies; empty if there is none.
    public var option = ""

    private init(_ kinds: Set<ReaderKind>, name: String? = nil) { (self.kinds, self.name) = (kinds, name) }

    /// A reader of one kind.
    /// - Parameter name: the name that selects it, in the form of its kind: a part of a PC/SC reader's name, a libnfc
    ///   connection string, the file of a simulated card; `nil` for any reader of the kind.
    public init(_ kind: ReaderKind, name: String? = nil) { self.init([kind], name: name) }

    /// Any reader of these kinds.
    public static func any(of kinds: some Sequence<ReaderKind>) -> WantedReader { WantedReader(Set(kinds)) }

    /// Any PC/SC reader or libnfc device.
    public static let any = WantedReader.any(of: [.pcsc, .nfc])

    /// A PC/SC reader.
    /// - Parameter nameContains: a part of its name, ignoring case; `nil` for any name.
    public static func pcsc(nameContains: String? = nil) -> WantedReader { .init(.pcsc, name: nameContains) }

    /// A libnfc device.
    /// - Parameter connstring: its libnfc name; `nil` for any device that libnfc is configured for or finds.
    public static func nfc(connstring: String? = nil) -> WantedReader { .init(.nfc, name: connstring) }

    /// What a PC/SC reader's name must contain.
    var nameContains: String? { kinds == [.pcsc] ? name : nil }
    /// The libnfc device that was named.
    var connstring: LibnfcDeviceName? { isNFCOnly ? name.map(LibnfcDeviceName.init) : nil }
    /// The file of a simulated card.
    var cardFile: String? { kinds == [.sim] ? name : nil }
    /// Whether a PC/SC reader is acceptable.
    var allowsPCSC: Bool { kinds.contains(.pcsc) }
    /// Whether only a libnfc device is acceptable.
    var isNFCOnly: Bool { kinds == [.nfc] }
    /// Whether readers of more than one kind are acceptable.
    var isOpen: Bool { kinds.count > 1 }
    /// The kinds about which the doctor knows only what their backends answer.
    var otherKinds: Set<ReaderKind> { kinds.subtracting(DoctorChecks.kinds) }

    /// The kinds whose backends are asked: those, and simulated cards, as only their backend knows their files.
    var kindsToAsk: Set<ReaderKind> { otherKinds.union(kinds.intersection([.sim])) }

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

    /// The readers on USB that libnfc could drive and that would do: all, unless some are named and no others are
    /// looked for.
    func usbDevices(on machine: Machine) -> [USBDevice] {
        guard kinds.contains(.nfc) else { return [] }
        let names = nfcDevices(on: machine).compactMap(\.connstring.connection).filter(\.isOnUSB)
        let allowsAny = connstring == nil && machine.libnfc.scans
        return machine.nfcDevices.filter { device in
            allowsAny || names.contains { $0.stands(for: device.connection) }
        }.map(\.device)
    }
}
