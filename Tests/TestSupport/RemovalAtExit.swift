import Foundation
import Synchronization

/// What is removed when the test process ends: the folders of servers that live as long as it, for example.
enum RemovalAtExit {
    private static let items = Mutex<Set<URL>>([])

    private static let arrangement: Void = {
        atexit { for item in RemovalAtExit.items.withLock({ $0 }) { try? FileManager.default.removeItem(at: item) } }
    }()

    /// Has a file or a folder removed, if it is there then.
    static func add(_ item: URL) {
        arrangement
        items.withLock { _ = $0.insert(item) }
    }

    /// Leaves out what has been removed earlier.
    static func forget(_ item: URL) { items.withLock { _ = $0.remove(item) } }
}
