/// Computes the digests that a transaction's signatures are made over; what the inputs have in common is hashed once.
///
/// The unlocking scripts and witnesses of the transaction are never looked at.
public struct SighashCache: Sendable {
    /// Why there is no digest.
    public enum Failure: Error, Equatable, Sendable {
        /// The transaction has no input with this number.
        case noSuchInput(Int)
    }

    private let inputCount: Int
    private let legacy: LegacySighash
    private let segwit: SegwitSighash

    /// Prepares for a transaction; time and memory grow with its size.
    public init(_ transaction: Transaction) {
        inputCount = transaction.inputs.count
        legacy = LegacySighash(transaction)
        segwit = SegwitSighash(transaction)
    }

    /// The digest for an input without witness.
    ///
    /// Hashes the whole transaction again for each input, as the rules demand, but the inputs before only once.
    /// - Parameters:
    ///   - input: the input's number, from 0.
    ///   - scriptCode: the spent output's script, or its redeem script. `OP_CODESEPARATOR` is taken out here; what stands
    ///     before the last one run must have been cut off.
    ///   - type: with `single` and no output of the input's number, the digest is the number 1, as consensus has it.
    ///
    /// Spec: Bitcoin Core, `SignatureHash` with `SigVersion::BASE`.
    public func legacyDigest(input: Int, scriptCode: Script, type: SighashType) throws(Failure) -> Digest {
        guard (0..<inputCount).contains(input) else { throw .noSuchInput(input) }
        return legacy.digest(input: input, scriptCode: scriptCode, type: type)
    }

    /// The digest for an input with a witness of version 0. Takes the same time however many inputs there are.
    /// - Parameters:
    ///   - input: the input's number, from 0.
    ///   - scriptCode: for P2WPKH the P2PKH script of the same key hash; for P2WSH
    ///     the witness script behind the last `OP_CODESEPARATOR` run.
    ///   - amount: the spent output's value.
    ///   - type: what the signature is to cover.
    ///
    /// Spec: BIP-143.
    public func segwitV0Digest(
        input: Int, scriptCode: Script, amount: Amount, type: SighashType
    ) throws(Failure) -> Digest {
        guard (0..<inputCount).contains(input) else { throw .noSuchInput(input) }
        return segwit.digest(input: input, scriptCode: scriptCode, amount: amount, type: type)
    }
}
