import ExplainedErrors
import SmartCard

/// What a backend answers when it is asked for its readers.
enum BackendAnswer: Sendable, Equatable {
    /// Their names; at least one.
    case readers([String])
    /// Why there are none.
    case none(ErrorCode, message: String, remedy: String)

    /// Asks a backend on its own thread, for at most 3 seconds.
    static func ask(_ backend: any ReaderBackend) async -> BackendAnswer {
        await TimedAnswer.of({ BackendAnswer(of: backend) }) { failure in
            switch failure {
            case .silent(let seconds):
                .none(.timedOut, message: "It did not answer for \(seconds) s", remedy: "")
            case .noThread(let error): BackendAnswer(error)
            }
        }
    }

    private init(of backend: any ReaderBackend) {
        do throws(ReaderError) {
            let names = try backend.readers().map(\.name)
            let obstacle = names.isEmpty ? backend.noReader : backend.obstacle
            self = obstacle.map { BackendAnswer($0) } ?? .readers(names)
        } catch { self.init(error) }
    }

    private init(_ error: any ExplainedError) {
        self = .none(error.code, message: error.message, remedy: error.remedy)
    }
}
