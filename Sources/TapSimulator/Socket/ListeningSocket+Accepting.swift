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
