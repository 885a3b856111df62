extension Miniscript {
    /// How many bytes of the witness satisfying takes if everybody signs: every item with its length, without the script.
    /// - Parameter locks: those that the transaction meets; `nil`: none.
    /// - Returns: the smallest witness that is open and needs no preimage, else the largest of all; `nil` if there is none.
    func estimatedSatisfaction(_ locks: InputLocks?) -> Int? {
        let estimate = Estimate<Key>(context: context, locks: locks, hasPreimages: false) { _ in true }
        return Self.size(of: witness(with: estimate)) ?? largestSatisfaction
    }

    /// The same on one spending path, and where it has a choice, the largest of all; `nil` if it cannot be taken.
    func estimatedSatisfaction<Place>(of path: SpendingPath<NumberedKey<Place>>) -> Int?
    where Key == NumberedKey<Place> {
        guard let size = Self.size(of: estimatedWitness(of: path)) else { return nil }
        return path.choice == nil ? size : largestSatisfaction
    }

    /// A witness as long as one on a spending path, without the script; `nil` if it cannot be taken.
    func estimatedWitness<Place>(of path: SpendingPath<NumberedKey<Place>>) -> [[UInt8]]?
    where Key == NumberedKey<Place> {
        let signers = Set(path.signers.flatMap(\.keys).map(\.number))
        return witness(
            with: Estimate(context: context, locks: path.locks, hasPreimages: !path.preimages.isEmpty) {
                signers.contains($0.number)
            })
    }

    private static func size(of witness: [[UInt8]]?) -> Int? { witness?.reduce(0) { $0 + $1.count + 1 } }
}

/// What is at hand in the end, as far as lengths matter.
private struct Estimate<Key: Sendable>: SpendingAssets {
    let context: MiniscriptContext
    let locks: InputLocks?
    let hasPreimages: Bool
    let signs: (Key) -> Bool

    func signature(of key: Key) -> [UInt8]? {
        signs(key) ? [UInt8](repeating: 0, count: context.usualSignatureLength) : nil
    }
    func publicKey(of key: Key) -> [UInt8]? { [UInt8](repeating: 0, count: context.keyLength) }
    func preimage(of hash: [UInt8], _ function: PreimageHash) -> [UInt8]? {
        hasPreimages ? [UInt8](repeating: 0, count: PreimageHash.preimageLength) : nil
    }
    func isOpen(olderThan number: UInt32) -> Bool { locks?.meets(older: number) ?? false }
    func isOpen(after number: UInt32) -> Bool { locks?.meets(after: number) ?? false }
}
