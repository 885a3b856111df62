/// What is at hand to satisfy an expression.
public protocol SpendingAssets<Key> {
    /// How keys are named.
    associatedtype Key

    /// A signature of a key with its hash type, as in a witness; `nil` if there is none.
    func signature(of key: Key) -> [UInt8]?
    /// A key's encoding, 33 bytes; `nil` if only its hash is known.
    func publicKey(of key: Key) -> [UInt8]?
    /// The preimage of a hash, 32 bytes; `nil` if it is not known.
    func preimage(of hash: [UInt8], _ function: PreimageHash) -> [UInt8]?
    /// Whether the input's sequence number says that the output is old enough.
    ///
    /// Spec: BIP-112.
    func isOpen(olderThan number: UInt32) -> Bool
    /// Whether the transaction's lock time says that a height or time has passed.
    ///
    /// Spec: BIP-65.
    func isOpen(after number: UInt32) -> Bool
}

/// The lock times that a transaction has for one of its inputs.
public struct InputLocks: Hashable, Sendable {
    private let version: UInt32
    private let sequence: UInt32
    private let lockTime: UInt32

    /// - Parameters:
    ///   - version: the transaction's.
    ///   - sequence: the input's.
    ///   - lockTime: the transaction's.
    public init(version: UInt32, sequence: UInt32, lockTime: UInt32) {
        (self.version, self.sequence, self.lockTime) = (version, sequence, lockTime)
    }

    /// Whether `older` with this number is satisfied.
    ///
    /// Spec: BIP-112.
    public func meets(older number: UInt32) -> Bool {
        version >= 2 && sequence & SequenceLock.disableFlag == 0
            && sequence & SequenceLock.typeFlag == number & SequenceLock.typeFlag
            && sequence & SequenceLock.mask >= number & SequenceLock.mask
    }

    /// Whether `after` with this number is satisfied.
    ///
    /// Spec: BIP-65.
    public func meets(after number: UInt32) -> Bool {
        sequence != SequenceLock.final && lockTime >= number
            && (lockTime < SequenceLock.lockTimeThreshold) == (number < SequenceLock.lockTimeThreshold)
    }
}
