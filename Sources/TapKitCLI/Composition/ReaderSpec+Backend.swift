import CardReaders
import SmartCard
import TapSimulator

extension ReaderSpec {
    /// Whose readers are meant.
    var backend: any ReaderBackend {
        switch self {
        case .pcsc(let text): PCSCBackend(nameContains: text)
        case .nfc(let connection): NFCBackend(connection)
        case .simulated(let file): SimulatedBackend(path: file)
        }
    }

    /// The reader that a reader's own name means, whether it is attached now or not; `nil` where no single one is named.
    var reader: (any CardReader)? {
        switch self {
        case .pcsc(let name?): PCSCReader(name: name)
        case .nfc(let connection?): NFCReader(connection)
        case .simulated(let file): SimulatedReader(path: file)
        case .pcsc(nil), .nfc(nil): nil
        }
    }

    /// What is looked through where nothing was asked for and all readers are of interest. libnfc is asked once.
    static var every: [any ReaderBackend] { [PCSCBackend(), NFCBackend(waitsForDevices: false)] }
}
