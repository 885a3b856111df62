import Glibc
import LocalSockets

extension ListeningSocket {
    /// Waits for the next program; `nil` if a wake-up or a failure comes first.
    func accept(wakeUp: WakeUp) -> SocketConnection? {
        guard wakeUp.wait(for: descriptor, POLLIN) == .done else { return nil }
        let connection = Glibc.accept(descriptor, nil, nil)
        if connection >= 0 {
            _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
            _ = fcntl(connection, F_SETFL, O_NONBLOCK)
            return SocketConnection(owning: connection, wakeUp: wakeUp)
        }
        // The system is out of descriptors: the connection has to wait.
        if errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM {
            _ = wakeUp.wait(milliseconds: 100)
        }
        return nil
    }
}

extension SimulatedCardError {
    /// Does something with a socket's path; its failure is the card's.
    static func explaining<Result>(
        _ body: () throws(LocalSocketError) -> Result
    ) throws(SimulatedCardError) -> Result {
        do throws(LocalSocketError) { return try body() } catch {
            let kind: Kind =
                switch error.kind {
                case .badAddress: .badAddress
                case .inUse: .inUse
                case .exists: .exists
                case .failed: .fileFailed
                }
            throw SimulatedCardError(kind, error.message)
        }
    }
}
