import TestSupport

@testable import Bitcoin

/// Some of what an expression can ask for: who signs, which preimages are known, and a transaction's locks.
struct MiniscriptMeans {
    private(set) var signers: Set<Int>
    let preimages: Set<UInt8>
    private let sequence: UInt32
    private let lockTime: UInt32

    init(of keys: Range<Int>, using random: inout SeededGenerator) {
        // Often all of them: else hardly anything large would be spent.
        let isGenerous = random.next(below: 2) == 0
        var chosen: Set<Int> = []
        for key in keys where isGenerous || random.next(below: 2) == 0 { chosen.insert(key) }
        signers = chosen
        var known: Set<UInt8> = []
        for number in 0..<RandomMiniscript.preimageCount where isGenerous || random.next(below: 2) == 0 {
            known.insert(number)
        }
        preimages = known
        sequence = random.next(below: 4) == 0 ? 0xFFFF_FFFE : (Self.relative(&random))
        lockTime = Self.absolute(&random)
    }

    /// What a path takes, and no more: of several keys, some.
    init(of path: SpendingPath<Int>, using random: inout SeededGenerator) {
        signers = Set(path.signers.flatMap { $0.keys.shuffled(using: &random).prefix($0.threshold) })
        preimages = Set(
            (0..<RandomMiniscript.preimageCount).filter { number in
                path.preimages.contains { $0.function.hash(RandomMiniscript.preimage(number)) == $0.hash }
            })
        (sequence, lockTime) = (path.sequence ?? 0xFFFF_FFFD, path.lockTime ?? 0)
    }

    /// The same, but all of these sign.
    func signed(by keys: Range<Int>) -> Self {
        var means = self
        means.signers = Set(keys)
        return means
    }

    var locks: InputLocks { InputLocks(version: 2, sequence: sequence, lockTime: lockTime) }

    private static func relative(_ random: inout SeededGenerator) -> UInt32 {
        let lock = RandomMiniscript.relativeLocks[random.next(below: RandomMiniscript.relativeLocks.count)]
        return random.next(below: 3) == 0 ? lock - 1 : lock
    }

    private static func absolute(_ random: inout SeededGenerator) -> UInt32 {
        let lock = RandomMiniscript.absoluteLocks[random.next(below: RandomMiniscript.absoluteLocks.count)]
        return random.next(below: 3) == 0 ? lock - 1 : lock
    }

    /// Whether they are enough, as a policy's meaning says, whatever the script.
    func allow(_ policy: SpendingPolicy<Int>) -> Bool {
        switch policy {
        case .always: true
        case .never: false
        case .key(let key): signers.contains(key)
        case .older(let number): locks.meets(older: number)
        case .after(let number): locks.meets(after: number)
        case .preimage(let function, let hash): preimage(of: hash, function) != nil
        case .threshold(let threshold, let parts): parts.count { allow($0) } >= threshold
        }
    }

    func preimage(of hash: [UInt8], _ function: PreimageHash) -> [UInt8]? {
        preimages.map { RandomMiniscript.preimage($0) }.first { function.hash($0) == hash }
    }

    /// A coin that nobody has.
    static let madeUpCoin = Outpoint(transactionID: TransactionID(hashing: [1]), index: 0)

    /// An input with these locks, and a transaction that has it.
    func unsigned(paying script: Script, from coin: Outpoint = madeUpCoin) -> Transaction {
        Transaction(
            inputs: [TransactionInput(outpoint: coin, sequence: sequence)],
            outputs: [TransactionOutput(value: 90_000, scriptPubKey: script)], lockTime: lockTime)
    }
}
