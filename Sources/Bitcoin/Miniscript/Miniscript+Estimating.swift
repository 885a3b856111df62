extension Miniscript {
    /// How many bytes of the witness satisfying takes if everybody signs: every item with its length, without the script.
    /// - Parameter locks: those that the transaction meets; `nil`: none.
    /// - Returns: the smallest witness that is open and needs no preimage, else the largest of all; `nil` if there is none.
    func estimatedSatisfaction(_ locks: InputLocks?) -> Int? {
        estimated(Estimate(locks: locks, hasPreimages: false) { _ in true }) ?? largestSatisfaction
    }

    /// The same on one spending path; `nil` if it cannot be taken.
    func estimatedSatisfaction<Place>(of path: SpendingPath<NumberedKey<Place>>) -> Int?
    where Key == NumberedKey<Place> {
        let signers = Set(path.signers.flatMap(\.keys).map(\.number))
        return estimated(
            Estimate(locks: path.locks, hasPreimages: !path.preimages.isEmpty) { signers.contains($0.number) })
    }

    private func estimated(_ estimate: Estimate<Key>) -> Int? {
        witness(with: estimate)?.reduce(0) { $0 + $1.count + 1 }
    }
}

/// What is at hand in the end, as far as lengths matter.
private struct Estimate<Key: Sendable>: SpendingAssets {
    let locks: InputLocks?
    let hasPreimages: Bool
    let signs: (Key) -> Bool

    func signature(of key: Key) -> [UInt8]? {
        signs(key) ? [UInt8](repeating: 0, count: SpendingScript.signatureLength) : nil
    }
    func publicKey(of key: Key) -> [UInt8]? { [UInt8](repeating: 0, count: PublicKey.length) }
    func preimage(of hash: [UInt8], _ function: PreimageHash) -> [UInt8]? {
        hasPreimages ? [UInt8](repeating: 0, count: PreimageHash.preimageLength) : nil
    }
    func isOpen(olderThan number: UInt32) -> Bool { locks?.meets(older: number) ?? false }
    func isOpen(after number: UInt32) -> Bool { locks?.meets(after: number) ?? false }
}
