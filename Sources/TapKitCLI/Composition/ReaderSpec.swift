import CardReaders
import SmartCard
import TapSimulator

/// Which readers a person asks for: the kind of them, or one by a name behind it.
struct ReaderSpec: Sendable {
    /// All that can be asked for. A new backend has a line here, and everything else in its own folder.
    static let families = [PCSCBackend.family, NFCBackend.family, SimulatedBackend.family]

    /// Where nobody says which: any reader of the PC/SC service.
    static let usual = ReaderSpec(backend: PCSCBackend())

    /// Whose readers are meant.
    let backend: any ReaderBackend

    private init(backend: any ReaderBackend) { self.backend = backend }

    /// Reads what somebody typed; `nil` for anything that is in no family.
    init?(parsing text: String) {
        guard let backend = Self.families.lazy.compactMap({ $0.backend(text) }).first else { return nil }
        self.backend = backend
    }

    /// What is looked through where nothing was asked for and all readers are of interest.
    static var every: [any ReaderBackend] { families.compactMap(\.survey) }

    /// The ways to ask, for people.
    static var forms: [ReaderFamily.Form] { families.flatMap(\.forms) }
    /// The same in one line.
    static var formsText: String { forms.map(\.text).joined(separator: ", ") }
}
