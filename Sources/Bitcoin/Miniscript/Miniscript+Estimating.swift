extension Miniscript {
    /// How many bytes of the witness satisfying takes if everybody signs: every item with its length, without the script.
    /// - Parameter locks: those that the transaction meets; `nil`: none.
    /// - Returns: the smallest way that is open and needs no preimage, else the largest of all; `nil` if there is none.
    func estimatedSatisfaction(_ locks: InputLocks?) -> Int? {
        let estimate = Estimate<Key>(hasPreimages: false, isOpen: { $0.isOpen(locks) }, signs: { _ in true })
        return estimatedSatisfaction(estimate) ?? largestSatisfaction
    }

    fileprivate func estimatedSatisfaction(_ estimate: Estimate<Key>) -> Int? {
        witness(with: estimate)?.reduce(0) { $0 + $1.count + 1 }
    }
}

extension Miniscript {
    /// How many bytes of the witness one way to spend takes: every item with its length, without the script; `nil` if it
    /// cannot be taken.
    func estimatedSatisfaction<Place>(of path: SpendingPath<NumberedKey<Place>>) -> Int?
    where Key == NumberedKey<Place> {
        let signers = Set(path.signers.flatMap(\.keys).map(\.number))
        return estimatedSatisfaction(
            Estimate(
                hasPreimages: !path.preimages.isEmpty,
                isOpen: { lock in
                    switch lock {
                    case .older(let number):
                        path.older.contains { older in
                            older & TimeLock.mask >= number & TimeLock.mask
                                && TimeLock.isTime(older) == TimeLock.isTime(number)
                        }
                    case .after(let number):
                        path.after.contains { after in
                            after >= number
                                && TimeLock.isDate(after) == TimeLock.isDate(number)
                        }
                    }
                }, signs: { signers.contains($0.number) }))
    }
}

/// What is at hand in the end, as far as lengths matter.
private struct Estimate<Key: Sendable>: SpendingAssets {
    enum Lock {
        case older(UInt32), after(UInt32)

        func isOpen(_ locks: InputLocks?) -> Bool {
            switch self {
            case .older(let number): locks?.meets(older: number) ?? false
            case .after(let number): locks?.meets(after: number) ?? false
            }
        }
    }

    let hasPreimages: Bool
    let isOpen: (Lock) -> Bool
    let signs: (Key) -> Bool

    func signature(of key: Key) -> [UInt8]? {
        signs(key) ? [UInt8](repeating: 0, count: SpendingScript.signatureLength) : nil
    }
    func publicKey(of key: Key) -> [UInt8]? { [UInt8](repeating: 0, count: PublicKey.length) }
    func preimage(of hash: [UInt8], _ function: PreimageHash) -> [UInt8]? {
        hasPreimages ? [UInt8](repeating: 0, count: PreimageHash.preimageLength) : nil
    }
    func isOpen(olderThan number: UInt32) -> Bool { isOpen(.older(number)) }
    func isOpen(after number: UInt32) -> Bool { isOpen(.after(number)) }
}
