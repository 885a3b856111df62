import Bitcoin

/// A key of a descriptor, and at which of its places: a policy can have the same key several times, below different
/// steps.
struct KeySeat: Hashable, Sendable {
    /// The key without the steps below it.
    let key: WatchWallet.ShownKey
    /// How many places have the same key before, in the order of the text.
    let occurrence: Int
}

extension Descriptor {
    /// Where each of its keys stands, in the order of the text.
    var seats: [KeySeat] {
        var counts: [WatchWallet.ShownKey: Int] = [:]
        return keys.map { key in
            let shown = key.shown
            defer { counts[shown, default: 0] += 1 }
            return KeySeat(key: shown, occurrence: counts[shown, default: 0])
        }
    }
}

extension WatchWallet {
    /// The encodings of the keys that stand at some of the seats, for the script of a place.
    func publicKeys(of seats: Set<KeySeat>, at place: WalletPlace) throws(DescriptorError) -> Set<[UInt8]> {
        guard descriptors.indices.contains(place.descriptor) else { throw .noSuchScript }
        let descriptor = descriptors[place.descriptor]
        var found: Set<[UInt8]> = []
        for (key, seat) in zip(descriptor.keys, descriptor.seats) where seats.contains(seat) {
            found.insert(
                try key.publicKey(branch: key.branchCount == 1 ? 0 : place.branch, index: place.index))
        }
        return found
    }
}
