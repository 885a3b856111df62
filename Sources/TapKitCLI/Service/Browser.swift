import ChildPrograms
import Glibc
import Threads

/// The person's browser.
enum Browser {
    /// What desktops open addresses with.
    private static let program = "xdg-open"
    /// How the names of this program's own variables begin. The chain server's may hold a password, and every program that the
    /// browser starts would get it.
    private static let ownVariables = "TAPKIT_"

    /// Opens an address, which other users of this machine can read in the list of processes.
    /// - Returns: whether the desktop's program for it could be started.
    static func open(_ address: String) -> Bool {
        let silence = Glibc.open("/dev/null", O_RDWR | O_CLOEXEC)
        guard silence >= 0 else { return false }
        defer { close(silence) }
        do throws(ChildProgram.StartError) {
            let child = try ChildProgram(
                program, [address], withholding: ownVariables, descriptors: (silence, silence, silence))
            // It may run for as long as the browser does.
            _ = DetachedThread.run { while waitpid(child.process, nil, 0) < 0 && errno == EINTR {} }
            return true
        } catch { return false }
    }
}
