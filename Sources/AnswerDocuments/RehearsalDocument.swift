import TapManager
import TextLayout

/// One spending path of a rehearsal as JSON.
package struct RehearsedPathDocument: Encodable {
    let path: Int
    /// Whether it was proven that the coins can be spent so, and not while the path is locked.
    let spendable: Bool
    /// Master fingerprints of the keys that signed; keys without one in hexadecimal.
    let keys: [String]
    /// Those whose backups were not there.
    let missing: [String]
    /// Those whose backups were there, and which no way that was tried needs; absent: none.
    let unused: [String]?
    let missingPreimages: Int?
    /// Why it failed although everything was there.
    let fault: String?

    /// What a rehearsal found out about a path.
    package init(_ rehearsed: RehearsedPath) {
        path = rehearsed.path.number
        spendable = rehearsed.isProven
        keys = rehearsed.keys.map(\.text)
        missing = rehearsed.missing.map(\.text)
        unused = rehearsed.unused.isEmpty ? nil : rehearsed.unused.map(\.text)
        missingPreimages = rehearsed.missingPreimages == 0 ? nil : rehearsed.missingPreimages
        fault = rehearsed.fault?.message
    }
}

/// A rehearsal as JSON.
package struct RehearsalDocument: Encodable {
    let wallet: String
    let network: String
    let paths: [RehearsedPathDocument]
    let provenAt: String
    /// When the kit was written, according to itself; absent: none was read.
    let kitWrittenAt: String?
    /// How many addresses were paid and spent from.
    let addresses: Int
    /// Whether the stored wallet remembers it: the kit was compared with it, and is its newest, and the backups were
    /// files that were named.
    let remembered: Bool
    /// When the local store wrote a newer kit; absent: it did not.
    let newerKitAt: String?
    /// Names of what else is in the kit's folder, and not of the kit; absent: nothing.
    let otherFiles: [String]?

    /// A rehearsal with at least one proven path.
    /// - Parameter others: see `ReadKit.others`.
    package init(_ report: RehearsalReport, others: [String]) {
        wallet = TerminalText.neutralized(report.storedName ?? report.wallet.name)
        network = report.wallet.network.rawValue
        paths = report.paths.map(RehearsedPathDocument.init)
        provenAt = report.time.iso8601
        kitWrittenAt = report.written?.iso8601
        addresses = report.addressCount
        remembered = report.isRemembered
        newerKitAt = report.newerKit?.iso8601
        otherFiles = others.isEmpty ? nil : others.map(TerminalText.neutralized)
    }
}

/// A kit that was written, as JSON.
package struct KitAnswer: Encodable {
    let name: String
    let folder: String
    let files: [String]
    let written: Int64
    let writtenAt: String
    /// How many unused addresses in a row to search; absent if the usual 20 are enough.
    let gapLimit: Int?
    /// How many it would take to find every coin for certain, if that is more than a search takes; otherwise absent.
    let neededGapLimit: Int?

    /// A kit, and where it is.
    package init(_ kit: WalletKit, _ files: [KitFile], in folder: String) {
        name = TerminalText.neutralized(kit.wallet.name)
        self.folder = folder
        self.files = files.map(\.name.rawValue)
        written = kit.written.seconds
        writtenAt = kit.written.iso8601
        (gapLimit, neededGapLimit) = (kit.gapLimit, kit.excessiveGapLimit)
    }
}

/// What is remembered about a wallet's drill, as JSON.
struct DrillDocument: Encodable {
    struct Proof: Encodable {
        let path: Int
        let proven: Int64
        let provenAt: String
    }

    /// When a kit was last written.
    let kitWritten: Int64?
    let kitWrittenAt: String?
    /// When each spending path was last proven, in the order of their numbers.
    let rehearsals: [Proof]

    /// `nil` for a wallet without a kit or a rehearsal.
    init?(_ drill: WalletDrill) {
        guard drill != WalletDrill() else { return nil }
        kitWritten = drill.kitWritten?.seconds
        kitWrittenAt = drill.kitWritten?.iso8601
        rehearsals = drill.proven.sorted { $0.key < $1.key }.map {
            Proof(path: $0.key, proven: $0.value.seconds, provenAt: $0.value.iso8601)
        }
    }
}

/// A wallet whose drill is due, as JSON.
struct DueDrillDocument: Encodable {
    let wallet: String
    /// When the path that was not proven for the longest time was proven; absent: nothing was.
    let last: Int64?
    let lastAt: String?
    /// When a kit was last written.
    let kitWritten: Int64?
    let kitWrittenAt: String?
    /// The paths that were never proven.
    let neverProven: [Int]

    init(_ wallet: StoredWallet) {
        self.wallet = TerminalText.neutralized(wallet.name)
        last = wallet.drill.oldestProof?.seconds
        lastAt = wallet.drill.oldestProof?.iso8601
        kitWritten = wallet.drill.kitWritten?.seconds
        kitWrittenAt = wallet.drill.kitWritten?.iso8601
        neverProven = wallet.unprovenPaths
    }
}
