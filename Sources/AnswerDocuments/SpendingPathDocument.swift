import Bitcoin
import TapManager

/// A spending path of a wallet as JSON.
struct SpendingPathDocument: Encodable {
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

    init(_ numbered: WalletSpendingPath, _ opening: SpendingPathOpening? = nil) {
        path = numbered.number
        signers = numbered.path.signers.map { group in
            Signers(threshold: group.threshold, keys: group.keys.compactMap { Self.name($0.key) })
        }
        olderBlocks = numbered.path.older.first { !TimeLock.isTime($0) }.map(TimeLock.count)
        olderSeconds = numbered.path.older.first(where: TimeLock.isTime).map {
            Int64(TimeLock.count($0)) * TimeLock.secondsPerUnit
        }
        afterHeight = numbered.path.after.first { !TimeLock.isDate($0) }
        afterTime = numbered.path.after.first(where: TimeLock.isDate)
        let hashes = numbered.path.preimages.map {
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
