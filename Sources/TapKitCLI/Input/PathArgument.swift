import Bitcoin
import FrontEndText

/// Derivation paths as the user types them.
enum PathArgument {
    /// Parses a path such as `m/84h/0h/0h`.
    static func parse(_ text: String) throws(Failure) -> DerivationPath {
        do { return try DerivationPath(typed: text) } catch { throw Failure(error) }
    }
}
