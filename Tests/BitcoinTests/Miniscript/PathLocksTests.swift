import TestSupport
import Testing

@testable import Bitcoin

/// What a policy takes with open locks, told by its paths, and without listing them: both say the same.
@Suite struct PathLocksTests {
    private let keys = RandomMiniscript.keys.indices

    @Test func pathsAndLocksAgree() {
        var random = SeededGenerator()
        var trees = RandomPolicyTree(SeededGenerator(for: "paths and locks"))
        for _ in 0..<500 {
            let (expression, paths) = trees.next()
            let policy = SpendingPolicy(expression)
            let locks = Set(
                paths.filter { $0.older.count < 2 && $0.after.count < 2 }.map { [$0.sequence, $0.lockTime] })
            #expect(Set(policy.locks?.map { [$0.older, $0.after] } ?? []) == locks, "\(expression.written)")
            let opening = paths.compactMap { path in SpendingPath(policy, opening: PathLocks(path)).map { (path, $0) } }
            for (path, choice) in opening {
                #expect(choice.sequence == path.sequence && choice.lockTime == path.lockTime)
                // What the path takes is among the choices, and is enough.
                let means = MiniscriptMeans(of: path, using: &random)
                #expect(choice.isMet(means), "\(expression.written) by \(path)")
                for _ in 0..<4 {
                    let some = MiniscriptMeans(of: keys, using: &random)
                    let isMet = paths.contains { $0.isOpen(choice.locks) && $0.isMet(some) }
                    #expect(choice.isMet(some) == isMet, "\(expression.written) by \(choice)")
                }
            }
        }
    }

    /// Which locks are together on a way, also where a way can have either.
    @Test func locksOfSeveralKindsAreCombined() {
        let (key, older, after) = (
            SpendingPolicy<Int>.key(0), SpendingPolicy<Int>.older(7), SpendingPolicy<Int>.after(700)
        )
        func locks(_ policy: SpendingPolicy<Int>) -> [[UInt32?]]? { policy.locks?.map { [$0.older, $0.after] } }
        let either = SpendingPolicy.threshold(1, [older, after])
        #expect(locks(.threshold(2, [key, either])) == [[7, nil], [nil, 700]])
        #expect(locks(.threshold(2, [either, either])) == [[7, nil], [nil, 700], [7, 700]])
        #expect(locks(.threshold(2, [either, .threshold(1, [key, after])])) == [[7, nil], [nil, 700], [7, 700]])
        #expect(locks(.threshold(2, [either, .older(9)])) == [[9, nil], [9, 700]])
        #expect(locks(.threshold(2, [.threshold(2, [older, after]), key])) == [[7, 700]])
        #expect(locks(.threshold(2, [older, .older(TimeLock.typeFlag | 3)])) == [])
        #expect(
            locks(.threshold(1, [key, .after(1_700_000_000), .older(TimeLock.typeFlag | 3), after]))
                == [[nil, nil], [TimeLock.typeFlag | 3, nil], [nil, 700], [nil, 1_700_000_000]])
        #expect(locks(.never) == [] && locks(.threshold(2, [key, .never])) == [])
    }

    /// A few of many who each have an heir: too many paths, and two of them when locks tell them apart.
    @Test func manyPathsAreToldByTheirLocks() throws {
        let parts: [SpendingPolicy<Int>] = (0..<10).map { number in
            .threshold(
                1, [.threshold(2, [.key(2 * number), .older(1)]), .threshold(2, [.key(2 * number + 1), .older(9)])])
        }
        let policy = SpendingPolicy<Int>.threshold(2, [.threshold(5, parts), .key(20)])
        #expect(policy.paths == nil)
        let paths = try #require(policy.listedPaths)
        #expect(paths.map(\.sequence) == [1, 9] && paths.map(\.signers.first?.threshold) == [6, 6])
        #expect(paths.map(\.signers.first?.keys.count) == [11, 21])
        let first = try #require(paths[0].choice), second = try #require(paths[1].choice)
        #expect(first == .threshold(2, [.threshold(5, (0..<10).map { .key(2 * $0) }), .key(20)]))
        let heirs: Set = [1, 3, 5, 7, 9, 20]
        #expect(second.isMet(signed: heirs.contains) { _, _ in false })
        #expect(!second.isMet(signed: heirs.subtracting([20]).contains) { _, _ in false })
        #expect(!first.isMet(signed: heirs.contains) { _, _ in false })
        #expect(SpendingPolicy<Int>.threshold(1, [.key(0)]).listedPaths?.first?.choice == nil)
    }

    /// There is an end to what is listed, whatever a stranger's script has.
    @Test func thereIsABound() throws {
        func policy(_ count: UInt32) -> SpendingPolicy<Int> {
            .threshold(2, [.key(0), .threshold(1, (1...count).map { .older($0) })])
        }
        #expect(policy(64).listedPaths?.count == 64 && policy(64).listedPaths?.first?.choice == nil)
        #expect(policy(1_023).listedPaths?.count == 1_023)
        #expect(policy(1_023).listedPaths?.last?.choice == .key(0))
        #expect(policy(1_024).listedPaths == nil)
    }
}

extension PathLocks {
    fileprivate init(_ path: SpendingPath<Int>) { self.init(older: path.sequence, after: path.lockTime) }
}

extension SpendingPath<Int> {
    /// Whether these are enough once its locks are open.
    fileprivate func isMet(_ means: MiniscriptMeans) -> Bool {
        if let choice {
            return choice.isMet(signed: means.signers.contains) { means.preimage(of: $1, $0) != nil }
        }
        return signers.allSatisfy { group in group.keys.count { means.signers.contains($0) } >= group.threshold }
            && preimages.allSatisfy { means.preimage(of: $0.hash, $0.function) != nil }
    }
}
