/// A partially signed Bitcoin transaction.
///
/// The maps are the truth: what is read from the file stays in them, known or not, and typed properties look into
/// them. So a PSBT that is not changed serializes to the bytes it was read from.
///
/// Spec: BIP-174 (version 0) and BIP-370 (version 2), with the fields of BIP-127, BIP-371 and BIP-373.
public struct PSBT: Sendable {
    /// The versions of the format that its specifications know.
    public enum Version: UInt32, Sendable {
        /// BIP-174.
        case v0 = 0
        /// BIP-370.
        case v2 = 2
    }

    /// The version of the format.
    public let version: Version
    /// The form of the file from which this was read; binary when it was not.
    public let fileForm: FileForm
    /// The transaction with empty scriptSigs and without witnesses. In version 2 the maps describe it.
    public let unsignedTransaction: Transaction
    /// The records of the global map; in version 0 the unsigned transaction is among them.
    public internal(set) var global: PSBTMap
    /// The inputs, one for each of the transaction's, in its order. `subscript(input:)` changes one.
    public internal(set) var inputs: [Input]
    /// The outputs, one for each of the transaction's, in its order. `subscript(output:)` changes one.
    public internal(set) var outputs: [Output]

    /// A PSBT of version 0 without any information but the transaction: what a Creator makes. `converted(to:)` gives one of version 2.
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

    /// What is said about the input with this number, from 0, which must be one of `inputs.indices`: to be read and changed.
    ///
    /// In version 2 one input must not be put in the place of another: its map says what is spent.
    public subscript(input index: Int) -> Input {
        get { inputs[index] }
        // In place, so that adding many records to an input does not copy it each time.
        _modify { yield &inputs[index] }
    }

    /// What is said about the output with this number, from 0, which must be one of `outputs.indices`: to be read and changed.
    ///
    /// In version 2 one output must not be put in the place of another: its map says what is paid.
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
