/// Computes the digests that a transaction's signatures cover; what the inputs share is hashed once.
///
/// The unlocking scripts and witnesses of the transaction are ignored.
public struct SighashCache: Sendable {
    /// Why a digest does not exist.
    public enum Failure: Error, Equatable, Sendable {
        /// The transaction has no input with this index.
        case noSuchInput(Int)
    }

    private let inputCount: Int
    private let legacy: LegacySighash
    private let segwit: SegwitSighash

    /// Prepares a transaction; time and memory grow with its size.
    public init(_ transaction: Transaction) {
        inputCount = transaction.inputs.count
        legacy = LegacySighash(transaction)
        segwit = SegwitSighash(transaction)
    }

    /// The digest for an input without witness.
    ///
    /// Hashes the whole transaction again for each input, as the rules require, but the preceding inputs only once.
    /// - Parameters:
    ///   - input: the input's index, from 0.
    ///   - scriptCode: the spent output's script, or its redeem script. `OP_CODESEPARATOR` is removed here; anything before
    ///     the last executed one must already be cut off.
    ///   - type: with `single` and no output at the input's index, the digest is the number 1, as in consensus.
    ///
    /// Spec: Bitcoin Core, `SignatureHash` with `SigVersion::BASE`.
    public func legacyDigest(input: Int, scriptCode: Script, type: SighashType) throws(Failure) -> Digest {
        guard (0..<inputCount).contains(input) else { throw .noSuchInput(input) }
        return legacy.digest(input: input, scriptCode: scriptCode, type: type)
    }

    /// The digest for an input with a witness of version 0. Takes the same time for any number of inputs.
    /// - Parameters:
    ///   - input: the input's index, from 0.
    ///   - scriptCode: for P2WPKH, the P2PKH script of the same key hash; for P2WSH,
    ///     the witness script after the last executed `OP_CODESEPARATOR`.
    ///   - amount: the spent output's value.
    ///   - type: what the signature covers.
    ///
    /// Spec: BIP-143.
    public func segwitV0Digest(
        input: Int, scriptCode: Script, amount: Amount, type: SighashType
    ) throws(Failure) -> Digest {
        guard (0..<inputCount).contains(input) else { throw .noSuchInput(input) }
        return segwit.digest(input: input, scriptCode: scriptCode, amount: amount, type: type)
    }
}
