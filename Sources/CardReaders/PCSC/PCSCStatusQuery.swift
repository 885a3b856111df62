import CPCSC
import Glibc
import SmartCard

/// A question to the service about the state of some readers, and its answers.
final class PCSCStatusQuery {
    /// The pseudo-reader that changes when a reader comes or goes.
    static let plugAndPlayName = #"\\?PnP?\Notification"#
    /// The most readers one question may name; pcsc-lite knows no more.
    static let maximumCount = 16

    private var states: [SCARD_READERSTATE]

    /// A question about the named readers, of which nothing is known yet.
    init(_ names: [String]) {
        states = names.prefix(Self.maximumCount).map { name in
            var state = SCARD_READERSTATE()
            state.szReader = UnsafePointer(strdup(name))
            return state
        }
    }

    deinit { for state in states { free(UnsafeMutablePointer(mutating: state.szReader)) } }

    /// Asks; returns at once when a reader's state is another than at the last `acknowledge`, else at the first
    /// change or after the given time.
    /// - Returns: the status code of `SCardGetStatusChange`.
    func ask(_ context: PCSCContext, milliseconds: UInt32) -> LONG {
        states.withUnsafeMutableBufferPointer {
            SCardGetStatusChange(context.handle, DWORD(milliseconds), $0.baseAddress, DWORD($0.count))
        }
    }

    /// Takes the answers as known: the next question waits for a change from them.
    func acknowledge() {
        for index in states.indices {
            states[index].dwCurrentState = states[index].dwEventState & ~DWORD(SCARD_STATE_CHANGED)
        }
    }

    /// The last answers, in the order of the names.
    var answers: [PCSCReaderState] { states.map(PCSCReaderState.init) }
}
