import Foundation

/// Which cells of a large matrix are played. What gates a landing plays a share, drawn by the committed seed; `.ci/search`
/// draws another share with every fresh seed; with the environment variable `TAPKIT_TEST_WHOLE` set every cell is played.
public struct MatrixShare {
    /// Whether every cell is played.
    public static let isWhole = ProcessInfo.processInfo.environment["TAPKIT_TEST_WHOLE"] != nil

    private let cells: Int
    private var generator: SeededGenerator

    /// - Parameters:
    ///   - cells: one of how many is played.
    ///   - matrix: names what the share is of; each name draws another one.
    public init(oneOf cells: Int, of matrix: String) {
        self.cells = cells
        generator = SeededGenerator(for: matrix)
    }

    /// How many of so many random rounds are played: a quarter, or all.
    public static func rounds(_ all: Int) -> Int { isWhole ? all : (all + 3) / 4 }

    /// Whether the next cell is played.
    public mutating func takesNext() -> Bool { Self.isWhole || Int.random(in: 0..<cells, using: &generator) == 0 }

    /// The values of the next cell that are played: so many, or all of them.
    public mutating func ofNext<Value>(_ values: [Value], count: Int = 1) -> [Value] {
        if Self.isWhole { return values }
        return Array(values.shuffled(using: &generator).prefix(count))
    }
}
