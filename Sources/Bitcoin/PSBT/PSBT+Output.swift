extension PSBT {
    /// What a PSBT says about one output.
    public struct Output: Hashable, Sendable {
        /// All records, known and unknown.
        public internal(set) var map: PSBTMap

        /// An output without records.
        public init() { self.init(map: PSBTMap(.output)) }

        init(map: PSBTMap) { self.map = map }

        /// The script behind a P2SH output. Not known to hash to it.
        public var redeemScript: Script? {
            get { map.value(PSBTOutputType.redeemScript.rawValue).map { Script($0) } }
            set { map.set(PSBTOutputType.redeemScript.rawValue, newValue?.bytes[...]) }
        }

        /// The script behind a P2WSH program. Not known to hash to it.
        public var witnessScript: Script? {
            get { map.value(PSBTOutputType.witnessScript.rawValue).map { Script($0) } }
            set { map.set(PSBTOutputType.witnessScript.rawValue, newValue?.bytes[...]) }
        }

        /// Keys of this output, with their origins: a claim that it is change.
        public var derivations: [KeyDerivation] {
            map.records(ofType: PSBTOutputType.derivation.rawValue).compactMap { KeyDerivation($0) }
        }

        /// X-only keys of this output, with their origins: a claim that it is change.
        public var taprootDerivations: [TaprootKeyDerivation] {
            map.records(ofType: PSBTOutputType.tapDerivation.rawValue).compactMap { TaprootKeyDerivation($0) }
        }

        /// Adds a key's origin, or replaces it.
        public mutating func addDerivation(_ derivation: KeyDerivation) {
            map.set(derivation.record(PSBTOutputType.derivation.rawValue))
        }
    }
}
