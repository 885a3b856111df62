import Foundation
import Threads

/// Runs what blocks, as a server does, beside the test that starts it: at once, on a thread that needs no turn among the
/// tests' tasks.
public struct BesideThread: Sendable {
    private let hasEnded = Monitor(false)

    /// Starts the body.
    public init(_ body: @escaping @Sendable () -> Void) {
        Thread.detachNewThread { [hasEnded] in
            body()
            hasEnded.withLock { $0 = true }
        }
    }

    /// Waits until the body has ended.
    public func end() async {
        await BlockingThread.run { _ = hasEnded.wait(timeout: nil) { $0 ? true : nil } }
    }
}
