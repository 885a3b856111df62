import CardReaders
import SmartCard
import TapSimulator

/// Which readers the user asks for: a kind of reader, or a kind and a name.
package struct ReaderSpec: Sendable {
    /// Everything that can be asked for. A new backend has one line here, and everything else in its own folder.
    package static let families = [PCSCBackend.family, NFCBackend.family, SimulatedBackend.family]

    /// The default: any reader of the PC/SC service.
    package static let usual = ReaderSpec(kind: .pcsc, name: nil, backend: PCSCBackend())

    /// The kind of these readers.
    package let kind: ReaderKind
    /// Their name, after the colon; `nil`: any reader of the kind.
    package let name: String?
    /// The backend that lists these readers.
    package let backend: any ReaderBackend

    private init(kind: ReaderKind, name: String?, backend: any ReaderBackend) {
        (self.kind, self.name, self.backend) = (kind, name, backend)
    }

    /// Parses what the user typed; `nil` if no family recognizes it.
    package init?(parsing text: String) {
        for family in Self.families {
            guard let parsed = family.parse(text) else { continue }
            self.init(kind: family.kind, name: parsed.name, backend: parsed.backend)
            return
        }
        return nil
    }

    /// All readers worth listing when none was requested.
    package static var every: [any ReaderBackend] { families.compactMap(\.survey) }
    /// The same, by the kind of their readers.
    package static var survey: [ReaderKind: any ReaderBackend] {
        families.reduce(into: [:]) { $0[$1.kind] = $1.survey }
    }

    /// The forms of a reader's name, for the user.
    package static var forms: [ReaderFamily.Form] { families.flatMap(\.forms) }
    /// The same, on one line.
    package static var formsText: String { forms.map(\.text).joined(separator: ", ") }
}
