import CProcess

/// This process, which keeps CVCs for a while.
enum PrivateProcess {
    /// From now on, no other program of the same user can read its memory or trace it, whatever the system allows.
    ///
    /// Spec: prctl(2), `PR_SET_DUMPABLE`.
    static func begin() { _ = process_make_private() }
}
