import CardReaders
import SmartCard
import TapSimulator

/// Which readers the user asks for: a kind of reader, or a kind and a name.
struct ReaderSpec: Sendable {
    /// Everything that can be asked for. A new backend has one line here, and everything else in its own folder.
    static let families = [PCSCBackend.family, NFCBackend.family, SimulatedBackend.family]

    /// The default: any reader of the PC/SC service.
    static let usual = ReaderSpec(backend: PCSCBackend())

    /// The backend that lists these readers.
    let backend: any ReaderBackend

    private init(backend: any ReaderBackend) { self.backend = backend }

    /// Parses what the user typed; `nil` if no family recognizes it.
    init?(parsing text: String) {
        guard let backend = Self.families.lazy.compactMap({ $0.backend(text) }).first else { return nil }
        self.backend = backend
    }

    /// All readers worth listing when none was requested.
    static var every: [any ReaderBackend] { families.compactMap(\.survey) }

    /// The forms of a reader's name, for the user.
    static var forms: [ReaderFamily.Form] { families.flatMap(\.forms) }
    /// The same, on one line.
    static var formsText: String { forms.map(\.text).joined(separator: ", ") }
}
