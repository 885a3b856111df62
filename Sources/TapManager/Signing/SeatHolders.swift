import Bitcoin

/// Who has which place in the scripts of the inputs.
struct SeatHolders: Sendable {
    private var inputs: [[KeyDerivation?]] = []

    /// Learns from an input's script.
    mutating func learn(_ origins: [KeyDerivation?]) { inputs.append(origins) }

    /// Whether every input has this very key at a place, so that it may not depend on the address.
    func isFixed(_ publicKey: [UInt8], at seat: Int) -> Bool {
        !inputs.isEmpty && inputs.allSatisfy { $0.indices.contains(seat) && $0[seat]?.publicKey == publicKey }
    }

    /// The holder at a place; `nil` unless the same extended keys derive its key in every input.
    func holder(at seat: Int, by cosigners: CosignerKeys, _ place: DerivationPath) -> CosignerKeys.Holder? {
        var holders: Set<CosignerKeys.Holder> = []
        for origins in inputs {
            guard origins.indices.contains(seat), let origin = origins[seat],
                case .proven(let holder) = cosigners.word(on: origin, siblings: 1, at: place)
            else { return nil }
            holders.insert(holder)
        }
        return holders.count == 1 ? holders.first : nil
    }
}
