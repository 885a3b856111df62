/// A partially signed Bitcoin transaction.
///
/// The maps are the source of truth: everything read from the file stays in them, known or not, and typed properties read
/// from them. So an unchanged PSBT serializes to the bytes that it was read from.
///
/// Spec: BIP-174 (version 0) and BIP-370 (version 2), with the fields of BIP-127, BIP-371 and BIP-373.
public struct PSBT: Sendable {
    /// The versions of the format that are specified.
    public enum Version: UInt32, Sendable {
        /// BIP-174.
        case v0 = 0
        /// BIP-370.
        case v2 = 2
    }

    /// The version of the format.
    public let version: Version
    /// The form of the file that this was read from; binary if it was not read from one.
    public let fileForm: FileForm
    /// The transaction with empty scriptSigs and without witnesses. In version 2 the maps describe it.
    public let unsignedTransaction: Transaction
    /// The records of the global map; in version 0 the unsigned transaction is among them.
    public internal(set) var global: PSBTMap
    /// The inputs, one for each of the transaction's, in its order. `subscript(input:)` changes one.
    public internal(set) var inputs: [Input]
    /// The outputs, one for each of the transaction's, in its order. `subscript(output:)` changes one.
    public internal(set) var outputs: [Output]

    /// A version 0 PSBT with only the transaction, as a Creator makes it. `converted(to:)` gives version 2.
    /// - Throws: `PSBTError.field` when the transaction has a scriptSig or a witness, or is larger than
    ///   `maximumTransactionSize`.
    ///
    /// Spec: BIP-174, "Creator".
    public init(unsignedTransaction transaction: Transaction) throws(PSBTError) {
        try Self.checkUnsigned(transaction)
        let serialized = transaction.serialized(.withoutWitnesses)
        try Self.checkSize(ofTransaction: serialized[...])
        var global = PSBTMap(.global)
        global.set(PSBTGlobalType.unsignedTransaction.rawValue, serialized[...])
        self.init(
            version: .v0, fileForm: .binary, unsignedTransaction: transaction, global: global,
            inputs: transaction.inputs.map { _ in Input() }, outputs: transaction.outputs.map { _ in Output() })
    }

    init(
        version: Version, fileForm: FileForm, unsignedTransaction: Transaction, global: PSBTMap, inputs: [Input],
        outputs: [Output]
    ) {
        self.version = version
        self.fileForm = fileForm
        self.unsignedTransaction = unsignedTransaction
        self.global = global
        self.inputs = inputs
        self.outputs = outputs
    }

    /// The input with this index, from 0, which must be in `inputs.indices`; it can be read and changed.
    ///
    /// In version 2, do not replace one input with another: its map says what is spent.
    public subscript(input index: Int) -> Input {
        get { inputs[index] }
        // Changed in place, so that adding many records does not copy the input each time.
        _modify { yield &inputs[index] }
    }

    /// The output with this index, from 0, which must be in `outputs.indices`; it can be read and changed.
    ///
    /// In version 2, do not replace one output with another: its map says what is paid.
    public subscript(output index: Int) -> Output {
        get { outputs[index] }
        _modify { yield &outputs[index] }
    }

    /// The extended public keys from which keys of inputs and outputs derive.
    public var globalExtendedKeys: [ExtendedKeyDerivation] {
        global.records(ofType: PSBTGlobalType.extendedPublicKey.rawValue).compactMap { ExtendedKeyDerivation($0) }
    }

    /// Adds an extended public key, or replaces its origin.
    public mutating func addGlobalExtendedKey(_ key: ExtendedKeyDerivation) { global.set(key.record) }
}
