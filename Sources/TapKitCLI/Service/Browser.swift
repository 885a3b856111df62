import ChildPrograms
import Glibc
import Threads

/// The person's browser.
enum Browser {
    /// What desktops open addresses with.
    private static let program = "xdg-open"

    /// Opens an address, which other users of this machine can read in the list of processes.
    /// - Returns: whether the desktop's program for it could be started.
    static func open(_ address: String) -> Bool {
        let silence = Glibc.open("/dev/null", O_RDWR | O_CLOEXEC)
        guard silence >= 0 else { return false }
        defer { close(silence) }
        do throws(ChildProgram.StartError) {
            let child = try ChildProgram(program, [address], descriptors: (silence, silence, silence))
            // It may run for as long as the browser does.
            _ = DetachedThread.run { while waitpid(child.process, nil, 0) < 0 && errno == EINTR {} }
            return true
        } catch { return false }
    }
}
