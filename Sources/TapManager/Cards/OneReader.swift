import ExplainedErrors
import SmartCard

/// One reader of a backend: a task that uses it leaves the others to other tasks.
struct OneReader: ReaderBackend {
    private let backend: any ReaderBackend
    private let spec: String

    init(_ backend: any ReaderBackend, _ spec: String) { (self.backend, self.spec) = (backend, spec) }

    func readers() throws(ReaderError) -> [any CardReader] { try backend.readers().filter { $0.spec == spec } }

    var noReader: any ExplainedError { backend.noReader }

    var obstacle: (any ExplainedError)? { backend.obstacle }

    /// What happens at any of the backend's readers: only a manager of all readers watches them.
    func events() -> AsyncStream<ReaderEvent> { backend.events() }
}
