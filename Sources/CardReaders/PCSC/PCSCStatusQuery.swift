import CPCSC
import Glibc
import SmartCard

/// A query to the service about the state of some readers, and the answers.
final class PCSCStatusQuery {
    /// The pseudo-reader whose state changes when a reader is attached or detached.
    static let plugAndPlayName = #"\\?PnP?\Notification"#
    /// The most readers that one query may name; pcsc-lite supports no more.
    static let maximumCount = 16

    private var states: [SCARD_READERSTATE]

    /// A query about the named readers, of which nothing is known yet.
    init(_ names: [String]) {
        states = names.prefix(Self.maximumCount).map { name in
            var state = SCARD_READERSTATE()
            state.szReader = UnsafePointer(strdup(name))
            return state
        }
    }

    deinit { for state in states { free(UnsafeMutablePointer(mutating: state.szReader)) } }

    /// Runs the query. Returns at once if a reader's state differs from the last `acknowledge`, otherwise at the first
    /// change or after the given time.
    /// - Returns: the status code of `SCardGetStatusChange`.
    func ask(_ context: PCSCContext, milliseconds: UInt32) -> LONG {
        states.withUnsafeMutableBufferPointer {
            SCardGetStatusChange(context.handle, DWORD(milliseconds), $0.baseAddress, DWORD($0.count))
        }
    }

    /// Acknowledges the answers: the next query waits for a change from them.
    func acknowledge() {
        for index in states.indices {
            states[index].dwCurrentState = states[index].dwEventState & ~DWORD(SCARD_STATE_CHANGED)
        }
    }

    /// The last answers, in the order of the names.
    var answers: [PCSCReaderState] { states.map(PCSCReaderState.init) }
}
