import Bitcoin

extension Descriptor {
    /// How many of how many keys must sign. `nil` for one key, and for taproot, where any of the scripts may be used.
    ///
    /// Spec: BIP-383.
    package var multisig: (threshold: Int, keyCount: Int)? {
        switch expression {
        case .multi(let threshold, let keys, _), .sh(.multi(let threshold, let keys, _)),
            .wsh(.multi(let threshold, let keys, _)), .sh(.wsh(.multi(let threshold, let keys, _))):
            (threshold, keys.count)
        default: nil
        }
    }
}
