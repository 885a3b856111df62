import Bitcoin
import TapManager

/// A way to spend a wallet's coins as JSON.
struct SpendingWayDocument: Encodable {
    struct Signers: Encodable {
        let threshold: Int
        /// Master fingerprints of the keys' origins; a key without one in hexadecimal.
        let keys: [String]
    }

    struct Preimage: Encodable {
        let function: String
        let hash: String
    }

    /// From 1.
    let path: Int
    let signers: [Signers]
    /// How old a coin must be.
    let olderBlocks: UInt32?
    let olderSeconds: Int64?
    /// What must have passed.
    let afterHeight: UInt32?
    let afterTime: UInt32?
    let preimages: [Preimage]?
    /// How many coins it is open to.
    let openCoins: Int?
    /// The block in which it opens to the next coin.
    let nextHeight: Int?

    init(_ way: SpendingWay, _ opening: WayOpening? = nil) {
        path = way.number
        signers = way.path.signers.map { group in
            Signers(threshold: group.threshold, keys: group.keys.compactMap { Self.name($0.key) })
        }
        olderBlocks = way.path.older.first { !TimeLock.isTime($0) }.map(TimeLock.count)
        olderSeconds = way.path.older.first(where: TimeLock.isTime).map {
            Int64(TimeLock.count($0)) * TimeLock.secondsPerUnit
        }
        afterHeight = way.path.after.first { !TimeLock.isDate($0) }
        afterTime = way.path.after.first(where: TimeLock.isDate)
        let hashes = way.path.preimages.map {
            Preimage(function: $0.function.rawValue, hash: Script($0.hash).description)
        }
        preimages = hashes.isEmpty ? nil : hashes
        openCoins = opening?.openCoins
        nextHeight = opening?.nextHeight
    }

    private static func name(_ key: DescriptorKey) -> String? {
        (try? key.origin())?.fingerprint.description ?? (try? key.publicKey()).map { Script($0).description }
    }
}
