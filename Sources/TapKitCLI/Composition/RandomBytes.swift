/// The system's randomness, for what is not drawn inside the libraries.
enum RandomBytes {
    /// So many random bytes.
    static func draw(count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
    }
}
