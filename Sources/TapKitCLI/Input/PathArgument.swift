import Bitcoin
import FrontEndText

/// Derivation paths as people type them.
enum PathArgument {
    /// Reads a path such as `m/84h/0h/0h`.
    static func parse(_ text: String) throws(Failure) -> DerivationPath {
        do { return try DerivationPath(typed: text) } catch { throw Failure(error) }
    }
}
