import Glibc
import TapProtocol

/// `--trace`: every step and every APDU on standard error, secrets masked by the layer below.
enum Trace {
    /// Writes one event.
    @Sendable static func write(_ event: TraceEvent) {
        Console.write("  | \(event)\n", to: STDERR_FILENO)
    }
}
