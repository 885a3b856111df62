import Bitcoin
import Synchronization

/// Where a card was before a task first moved it to a path. If the card is lost meanwhile, the task starts again with a
/// card that may be there already, and only this still knows where it came from.
final class Departures: Sendable {
    private let places = Mutex<[DerivationPath: DerivationPath]>([:])

    /// Where the card was when it was first to be moved to `path`; `path` itself if it was there.
    /// - Parameter present: where it is now.
    func first(to path: DerivationPath, from present: DerivationPath) -> DerivationPath {
        places.withLock { places in
            if let first = places[path] { return first }
            places[path] = present
            return present
        }
    }
}
