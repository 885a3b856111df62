/// What is at hand to satisfy an expression.
public protocol SpendingAssets<Key> {
    /// How keys are named.
    associatedtype Key

    /// A signature of a key with its hash type, as in a witness; `nil` if there is none.
    func signature(of key: Key) -> [UInt8]?
    /// A key's encoding, 33 bytes, or 32 in tapscript; `nil` if only its hash is known.
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
