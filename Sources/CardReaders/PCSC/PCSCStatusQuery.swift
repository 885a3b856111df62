import CPCSC
import Glibc
import SmartCard
import Synchronization

/// A query to the service about the state of some readers, and the answers. One that the service does not answer keeps its
/// memory.
final class PCSCStatusQuery: Sendable {
    /// The pseudo-reader whose state changes when a reader is attached or detached.
    static let plugAndPlayName = #"\\?PnP?\Notification"#
    /// The most readers that one query may name; pcsc-lite supports no more.
    static let maximumCount = 16

    private let states: Mutex<[SCARD_READERSTATE]>

    /// A query about the named readers, of which nothing is known yet.
    init(_ names: [String]) {
        states = Mutex(
            names.prefix(Self.maximumCount).map { name in
                var state = SCARD_READERSTATE()
                state.szReader = UnsafePointer(strdup(name))
                return state
            })
    }

    deinit { states.withLock { for state in $0 { free(UnsafeMutablePointer(mutating: state.szReader)) } } }

    /// Runs the query. Returns at once if a reader's state differs from the last `acknowledge`, otherwise at the first
    /// change or after the given time, if the service answers: see `PCSCContext.status`.
    /// - Returns: the status code of `SCardGetStatusChange`.
    func ask(_ handle: SCARDCONTEXT, milliseconds: UInt32) -> LONG {
        states.withLock { states in
            states.withUnsafeMutableBufferPointer {
                SCardGetStatusChange(handle, DWORD(milliseconds), $0.baseAddress, DWORD($0.count))
            }
        }
    }

    /// Acknowledges the answers: the next query waits for a change from them.
    func acknowledge() {
        states.withLock { states in
            for index in states.indices {
                states[index].dwCurrentState = states[index].dwEventState & ~DWORD(SCARD_STATE_CHANGED)
            }
        }
    }

    /// The last answers, in the order of the names.
    var answers: [PCSCReaderState] { states.withLock { $0.map(PCSCReaderState.init) } }
}
