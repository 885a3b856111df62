import ByteCodec

extension PSBT {
    /// What a PSBT says about one input.
    public struct Input: Hashable, Sendable {
        /// All records, known and unknown.
        public internal(set) var map: PSBTMap

        /// The whole transaction with the spent output; `nil` when missing.
        ///
        /// Reading a PSBT checks that it matches the outpoint and has the output.
        public var nonWitnessUTXO: PreviousTransaction? {
            get { previousTransaction }
            set {
                previousTransaction = newValue
                set(.nonWitnessUTXO, newValue?.bytes)
            }
        }
        /// The previous transaction in the map, parsed once.
        private var previousTransaction: PreviousTransaction?

        /// An input without records.
        public init() { self.init(map: PSBTMap(.input), nonWitnessUTXO: nil) }

        /// An input from its map and the transaction that the map holds.
        init(map: PSBTMap, nonWitnessUTXO: PreviousTransaction?) {
            self.map = map
            previousTransaction = nonWitnessUTXO
        }

        /// The spent output, as the PSBT claims it; `nil` when missing.
        public var witnessUTXO: TransactionOutput? {
            get {
                guard let value = value(.witnessUTXO) else { return nil }
                var reader = ByteReader(value)
                return try? TransactionOutput(from: &reader)
            }
            set {
                var bytes: [UInt8] = []
                newValue?.serialize(into: &bytes)
                set(.witnessUTXO, newValue == nil ? nil : bytes[...])
            }
        }

        /// The partial signatures. Not verified.
        public var partialSignatures: [PartialSignature] {
            map.records(ofType: PSBTInputType.partialSignature.rawValue).map {
                PartialSignature(publicKey: Array($0.keyData), signature: Array($0.value))
            }
        }

        /// The sighash type that every signature of this input must use; `nil` when any type may be used.
        public var sighashType: SighashType? {
            get { value(.sighashType).map { SighashType(rawValue: UInt32(littleEndian: $0)) } }
            set {
                var bytes: [UInt8] = []
                if let newValue { bytes.appendLittleEndian(newValue.rawValue) }
                set(.sighashType, newValue == nil ? nil : bytes[...])
            }
        }

        /// The script behind a P2SH output. Not known to hash to it.
        public var redeemScript: Script? {
            get { value(.redeemScript).map { Script($0) } }
            set { set(.redeemScript, newValue?.bytes[...]) }
        }

        /// The script behind a P2WSH program. Not known to hash to it.
        public var witnessScript: Script? {
            get { value(.witnessScript).map { Script($0) } }
            set { set(.witnessScript, newValue?.bytes[...]) }
        }

        /// Keys of this input, with their origins.
        public var derivations: [KeyDerivation] {
            map.records(ofType: PSBTInputType.derivation.rawValue).compactMap { KeyDerivation($0) }
        }

        /// X-only keys of this input, with their origins.
        public var taprootDerivations: [TaprootKeyDerivation] {
            map.records(ofType: PSBTInputType.tapDerivation.rawValue).compactMap { TaprootKeyDerivation($0) }
        }

        /// The complete scriptSig; `nil` while not final, and when none is needed.
        public var finalScriptSig: Script? {
            get { value(.finalScriptSig).map { Script($0) } }
            set { set(.finalScriptSig, newValue?.bytes[...]) }
        }

        /// The complete witness stack, bottom first; `nil` while not final, and when none is needed.
        public var finalWitness: [[UInt8]]? {
            get {
                guard let value = value(.finalScriptWitness) else { return nil }
                var reader = ByteReader(value)
                return try? reader.witnessStack()
            }
            set {
                var bytes: [UInt8] = []
                bytes.appendWitnessStack(newValue ?? [])
                set(.finalScriptWitness, newValue == nil ? nil : bytes[...])
            }
        }

        /// Whether there is a complete scriptSig or witness.
        public var isFinal: Bool { finalScriptSig?.isEmpty == false || finalWitness?.isEmpty == false }

        /// The minimum time to which the transaction must be locked, in seconds since 1970; `nil` when the input does not
        /// require one. Version 2 only.
        public var requiredTimeLockTime: UInt32? { map.uint32(PSBTInputType.requiredTimeLockTime.rawValue) }

        /// The minimum block height to which the transaction must be locked; `nil` when the input does not require one.
        /// Version 2 only.
        public var requiredHeightLockTime: UInt32? { map.uint32(PSBTInputType.requiredHeightLockTime.rawValue) }

        /// Adds signatures, or replaces those by the same keys. For their effect on the whole PSBT, use
        /// `PSBT.addPartialSignatures(_:toInput:)`.
        mutating func addPartialSignatures(_ signatures: [PartialSignature]) {
            var records: [[UInt8]: PSBTRecord] = [:]
            for signature in signatures {
                records[signature.publicKey] = PSBTRecord(
                    type: PSBTInputType.partialSignature.rawValue, keyData: signature.publicKey[...],
                    value: signature.signature[...])
            }
            map.set(ofType: PSBTInputType.partialSignature.rawValue, records)
        }

        /// Adds a key's origin, or replaces it.
        public mutating func addDerivation(_ derivation: KeyDerivation) {
            map.set(derivation.record(PSBTInputType.derivation.rawValue))
        }

        private func value(_ type: PSBTInputType) -> ArraySlice<UInt8>? { map.value(type.rawValue) }

        private mutating func set(_ type: PSBTInputType, _ value: ArraySlice<UInt8>?) { map.set(type.rawValue, value) }
    }
}
