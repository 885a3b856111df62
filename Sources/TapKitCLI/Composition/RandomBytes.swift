import Bitcoin

/// The system's randomness, for what is not drawn inside the libraries.
enum RandomBytes {
    /// So many random bytes.
    static func draw(count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
    }
}

extension ChainCode {
    /// A chain code of random bytes.
    static func drawn() -> Self {
        var generator = SystemRandomNumberGenerator()
        return Self(using: &generator)
    }
}
