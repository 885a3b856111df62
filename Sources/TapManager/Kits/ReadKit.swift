import Bitcoin
import ByteCodec
import TapProtocol

/// A kit that was read: a sound wallet, and what else can be compared. Whoever wrote it may lie in everything else.
package struct ReadKit: Sendable {
    /// The wallet, on the kit's network.
    package let wallet: WatchWallet
    /// When the kit was written, according to itself.
    package let written: UnixTime
    /// The idents of cards by the fingerprints of their keys, according to the kit.
    private let cards: [(fingerprint: Fingerprint, ident: String)]
    /// How many addresses of each branch Bitcoin Core is told to watch.
    private let addressCount: Int
    /// The SHA-256 of the main document, which has those of the other files.
    let digest: [UInt8]
    /// Names of what else is in its folder, which nothing vouches for: see `KitFolder.others`.
    package let others: [String]

    /// What its files of JSON may have.
    static let bounds = JSONBounds(
        length: KitFolder.limit, depth: 12, keyLength: 64, valueCount: 50_000)
    /// Parts of the main document that follow from the descriptors.
    private static let derived = ["descriptors", "branches", "templates", "keys", "paths"]

    /// Reads the kit in a folder, and confirms that its files belong together.
    /// - Throws: `KitError`.
    package init(folder path: String) throws(KitError) {
        let folder = KitFolder(path: path)
        let bytes = try Self.read(.document, in: folder)
        let json = try Self.json(bytes, of: .document)
        guard json["format"]?.string == KitDocument.format, let version = json["version"]?.integer else {
            throw .malformed(.document)
        }
        guard (1...KitDocument.newestVersion).contains(version) else {
            throw version > KitDocument.newestVersion ? .newer : .malformed(.document)
        }
        addressCount =
            version == 1
            ? CoreExport.addressCounts.lowerBound : Int(clamping: json["address_count"]?.integer ?? 0)
        guard CoreExport.addressCounts.contains(addressCount) else { throw .malformed(.document) }
        guard let name = json["name"]?.string, let written = json["written"]?.integer,
            let network = json["network"]?.string.flatMap(Network.init(rawValue:)),
            let descriptors = json["wallet"]?["descriptors"]?.array?.map(\.string), !descriptors.contains(nil)
        else { throw .malformed(.document) }
        do throws(WalletError) {
            wallet = try WalletDraft(
                name: try WalletName(parsing: name), network: network, descriptors: descriptors.compactMap(\.self)
            ).wallet
        } catch { throw .wallet(error) }
        guard !wallet.hasTaproot else { throw .taproot }
        self.written = UnixTime(seconds: written)
        cards = (json["cards"]?.array ?? []).compactMap { card in
            guard let text = card["fingerprint"]?.string, let bytes = try? Hex.decode(text),
                let fingerprint = Fingerprint(bytes), let ident = card["ident"]?.string
            else { return nil }
            return (fingerprint, ident)
        }
        digest = SHA256.hash(bytes)
        others = folder.others()
        try requireDerived(json["wallet"])
        try requireFiles(json["files"], in: folder)
    }

    /// Confirms that files can be read again.
    /// - Throws: `.tooManyPaths`.
    static func requireReadable(_ files: [KitFile]) throws(KitError) {
        for file in files {
            guard file.bytes.count <= KitFolder.limit else { throw .tooManyPaths }
            guard [.document, .core].contains(file.name) else { continue }
            do throws(KitError) { _ = try json(file.bytes, of: file.name) } catch { throw .tooManyPaths }
        }
    }

    private static func json(_ bytes: [UInt8], of name: KitFile.Name) throws(KitError) -> JSONValue {
        do throws(JSONFault) { return try JSONReader.value(bytes, within: bounds) } catch {
            throw bounds.excess(error.reason) == nil ? .malformed(name) : .excess(name, error.reason)
        }
    }

    /// Confirms that what follows from the descriptors does.
    private func requireDerived(_ claimed: JSONValue?) throws(KitError) {
        let text = (try? JSONDocument.text(KitDocument.Derived(wallet), keys: .snakeCase)) ?? ""
        let own = try Self.json(Array(text.utf8), of: .document)
        for section in Self.derived where claimed?[section] != own[section] { throw .altered(.derived(section)) }
    }

    /// Confirms that the other files are those that the main document names, and that those for programs are the same
    /// wallet's.
    private func requireFiles(_ claimed: JSONValue?, in folder: KitFolder) throws(KitError) {
        for name in KitFile.Name.allCases where name != .document {
            let bytes = try Self.read(name, in: folder)
            let digest = Hex.encode(SHA256.hash(bytes))
            guard Self.listedDigest(of: name, in: claimed) == digest else {
                throw Self.unplacedFiles(in: folder).contains { Self.listedDigest(of: name, in: $0) == digest }
                    ? .mixed(name) : .altered(.file(name))
            }
            switch name {
            case .descriptors:
                guard bytes == Array(WalletKit.descriptorLines(of: wallet).utf8) else { throw .altered(.file(name)) }
            case .core:
                let requests = WalletKit.coreRequests(of: wallet, addressCount: addressCount)
                let own = try Self.json(Array(requests.utf8), of: name)
                guard try Self.json(bytes, of: name) == own else { throw .altered(.file(name)) }
            case .readMe, .page, .document: break
            }
        }
    }

    /// The SHA-256 of a file in hexadecimal, according to a main document's list.
    private static func listedDigest(of name: KitFile.Name, in files: JSONValue?) -> String? {
        files?.array?.first { $0["name"]?.string == name.rawValue }?["sha256"]?.string
    }

    /// The bytes of a file.
    /// - Throws: `.mixed` instead of `.missing` if it is as after writing was cut off.
    private static func read(_ name: KitFile.Name, in folder: KitFolder) throws(KitError) -> [UInt8] {
        do throws(KitError) { return try folder.read(name) } catch {
            guard case .missing = error, !unplacedFiles(in: folder).isEmpty else { throw error }
            throw .mixed(name)
        }
    }

    /// The lists of files in main documents under temporary names, as they stay when writing a kit is cut off: theirs is
    /// the last name to be given.
    private static func unplacedFiles(in folder: KitFolder) -> [JSONValue] {
        let names = folder.names { StagedFile.isTemporary($0, of: KitFile.Name.document.rawValue) }
        return (names ?? []).prefix(mostUnplaced).compactMap { name in
            guard let bytes = try? folder.read(.document, under: name),
                let document = try? Self.json(bytes, of: .document), document["format"]?.string == KitDocument.format
            else { return nil }
            return document["files"]
        }
    }

    /// Somebody else may have put any number there.
    private static let mostUnplaced = 10

    /// Confirms that it is a kit of a stored wallet.
    /// - Parameter records: the cards that the store knows.
    /// - Throws: `KitError`: `.altered`; `.otherWallet` if its wallet has another name and other descriptors; `.unknown` if
    ///   the store did not write exactly this kit.
    func requireSame(as stored: StoredWallet, _ records: [CardRecord]) throws(KitError) {
        if let difference = difference(from: stored) {
            guard wallet.name == stored.name else { throw .otherWallet(wallet.name, asked: stored.name) }
            throw .altered(difference)
        }
        for card in cards {
            let known = records.filter { $0.fingerprint == card.fingerprint }
            if !known.isEmpty, !known.contains(where: { $0.ident.description == card.ident }) {
                throw .altered(.card(card.fingerprint))
            }
        }
        guard stored.drill.kits[digest] != nil else { throw .unknown }
    }

    /// What of the wallet is not the stored wallet's, whatever they are called; `nil`: nothing.
    private func difference(from stored: StoredWallet) -> KitDifference? {
        guard wallet.network == stored.network else { return .network(wallet.network) }
        let own = wallet.descriptors.compactMap(DescriptorText.init)
        guard own.count == stored.descriptors.count else { return .descriptorCount(own.count) }
        return zip(own, stored.descriptors).enumerated().first { $1.0 != $1.1 }.map { .descriptor($0.offset + 1) }
    }
}
