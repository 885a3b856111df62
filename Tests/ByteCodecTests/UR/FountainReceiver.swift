@testable import ByteCodec

/// Puts a message together again from parts in any order, some of them mixtures: eliminates like linear equations, and knows
/// nothing of how the parts were made but which fragments are in them.
struct FountainReceiver {
    private var rows: [Int: (members: Set<Int>, data: [UInt8])] = [:]
    private let count: Int

    /// - Parameter count: how many fragments there are.
    init(count: Int) { self.count = count }

    /// Takes a part, if it says anything new.
    mutating func take(_ members: [Int], _ data: [UInt8]) {
        var (members, data) = (Set(members), data)
        while let pivot = members.min() {
            guard let row = rows[pivot] else {
                rows[pivot] = (members, data)
                return
            }
            members.formSymmetricDifference(row.members)
            for index in data.indices { data[index] ^= row.data[index] }
        }
    }

    /// The fragments; `nil` while they are not all known.
    var fragments: [[UInt8]]? {
        guard rows.count == count else { return nil }
        var solved: [Int: [UInt8]] = [:]
        for pivot in (0..<count).reversed() {
            guard var (members, data) = rows[pivot] else { return nil }
            members.remove(pivot)
            for member in members {
                guard let other = solved[member] else { return nil }
                for index in data.indices { data[index] ^= other[index] }
            }
            solved[pivot] = data
        }
        return (0..<count).compactMap { solved[$0] }
    }
}
