import Bitcoin

/// What a coordinator tells signers in the second round: the wallet, and its first address.
///
/// Spec: BIP-129, "Round 2", "Descriptor Template".
package struct BSMSDescriptorRecord: Sendable, Hashable {
    /// Why a text is no record, or not to be believed.
    package enum Fault: Error, Equatable, Sendable {
        /// It does not open with the token that was given, or was altered.
        case notOpened
        /// Another version than `BSMS 1.0`, or no record.
        case version
        /// A record has four lines.
        case lines(Int)
        /// Path restrictions that do not go with the template.
        case restrictions(String)
        /// More path restrictions than `maximumPathCount`.
        case tooManyPaths
        /// A path restriction with more steps than `maximumPathDepth`.
        case pathTooDeep
        /// More keys with `/**` than `maximumMarkCount`.
        case tooManyMarks
        /// A descriptor that cannot be read, with what is wrong.
        case descriptor(DescriptorError)
        /// The address is none of the network.
        case address(String)
        /// The wallet's first address is another: somebody changed one of the two.
        case otherAddress(expected: String)
    }

    /// The most path restrictions that are taken: wallets have two.
    static let maximumPathCount = 10
    /// The most steps of a path restriction: wallets have two below the keys that are told, a number and the `*`.
    static let maximumPathDepth = 10
    /// The most keys with `/**` in a template: the largest multisig there is has 999, beside one internal key.
    ///
    /// Spec: BIP-387.
    static let maximumMarkCount = 1_000

    private static let noRestrictions = "No path restrictions"
    private static let templateMark = "/**"

    /// The wallet: for each path restriction one descriptor, without the record's checksum.
    package let descriptors: [String]
    /// What the record says of the wallet's first address.
    package let firstAddress: String
    private let lines: [String]

    /// The record as it is given to the signers: lines without a line end behind the last.
    package var text: String { lines.joined(separator: "\n") }

    /// A record of a wallet.
    /// - Throws: `ExportError`, also `.multisigOnly`, `.noOrigin`.
    package init(_ source: ExportSource) throws(ExportError) {
        let account = try source.account
        guard case .multisig = account.form else { throw .multisigOnly }
        for (index, key) in account.keys.enumerated() where key.origin == nil { throw .noOrigin(index + 1) }
        guard let branch = source.wallet.receivingBranch,
            let address = try? source.wallet.address(at: branch.place(0))
        else { throw .oneBranch }
        let keys = account.keys.map(\.apostropheText)
        descriptors = ["/0/*", "/1/*"].map { steps in account.body(keys: keys.map { $0 + steps }) }
        firstAddress = address.description
        lines = [
            BSMSKeyRecord.version, account.body(keys: keys.map { $0 + Self.templateMark }), "/0/*,/1/*", firstAddress,
        ]
    }

    /// Reads a record, and proves that its first address is the wallet's on one of these networks.
    /// - Throws: `Fault`; `.address` when the address is of none of them.
    package init(parsing text: String, networks: [Network]) throws(Fault) {
        var lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }.map(String.init)
        while lines.last?.isEmpty == true { lines.removeLast() }
        guard lines.first == BSMSKeyRecord.version else { throw .version }
        guard lines.count == 4 else { throw .lines(lines.count) }
        self.lines = lines
        descriptors = try Self.descriptors(lines[1], lines[2])
        firstAddress = lines[3]
        try requireFirstAddress(networks)
    }

    /// Opens and reads what a coordinator sent.
    /// - Parameter network: the one that was asked for; `nil`: the one of the record's first address.
    /// - Throws: `Fault`.
    package init(opening sent: String, with token: BSMSToken, network: Network?) throws(Fault) {
        guard let text = token.opened(sent) else { throw .notOpened }
        // The test networks but one write addresses alike.
        try self.init(parsing: text, networks: network.map { [$0] } ?? [.main, .test, .regtest])
    }

    private static func descriptors(_ template: String, _ restrictions: String) throws(Fault) -> [String] {
        guard restrictions != noRestrictions else {
            guard !template.contains(templateMark) else { throw .restrictions(restrictions) }
            return [template]
        }
        // The checksum, if there is one, is the template's.
        let body: String
        do throws(DescriptorChecksum.Failure) { body = try DescriptorChecksum.verify(template) } catch {
            throw .restrictions(template)
        }
        let paths = restrictions.split(
            separator: ",", maxSplits: maximumPathCount, omittingEmptySubsequences: false)
        guard paths.count <= maximumPathCount else { throw .tooManyPaths }
        guard paths.allSatisfy({ $0.count { $0 == "/" } <= maximumPathDepth }) else { throw .pathTooDeep }
        guard Set(paths).count == paths.count,
            paths.allSatisfy({ path in
                path.hasPrefix("/") && !path.dropFirst().isEmpty
                    && path.allSatisfy { "0123456789/*".contains($0) }
            })
        else { throw .restrictions(restrictions) }
        let template = body.pieces(between: templateMark)
        guard template.count <= maximumMarkCount + 1 else { throw .tooManyMarks }
        guard template.count == 1 else { return paths.map { template.joined(separator: String($0)) } }
        // Some coordinators write the descriptor itself, with the restrictions that it has anyway.
        guard let pieces = mark(for: paths).map({ body.pieces(between: $0) }),
            let bare = try? Descriptor(parsing: pieces.joined()),
            bare.keys.allSatisfy({ $0.steps.isEmpty && $0.wildcard == nil })
        else { throw .restrictions(restrictions) }
        return paths.map { pieces.joined(separator: String($0)) }
    }

    /// How a descriptor without a template mark writes these paths: the only one, or a receiving and a change branch in one.
    private static func mark(for paths: [Substring]) -> String? {
        guard paths.count > 1 else { return paths.first.map(String.init) }
        let branches = paths.compactMap { path in
            path.hasSuffix("/*") && !path.dropFirst().dropLast(2).contains { !$0.isNumber }
                ? path.dropFirst().dropLast(2) : nil
        }
        return branches.count == paths.count ? "/<\(branches.joined(separator: ";"))>/*" : nil
    }

    private func requireFirstAddress(_ networks: [Network]) throws(Fault) {
        guard let first = descriptors.first else { throw .version }
        let script: Script
        do throws(DescriptorError) { script = try Descriptor(parsing: first).script() } catch {
            throw .descriptor(error)
        }
        let claims = networks.compactMap { network in
            (try? Address(parsing: firstAddress, network: network)).map { (network, $0.scriptPubKey) }
        }
        guard let (network, claimed) = claims.first else { throw .address(firstAddress) }
        guard claimed == script else {
            throw .otherAddress(expected: Address(scriptPubKey: script, network: network)?.description ?? "")
        }
    }
}

extension String {
    /// What stands between the places of a mark, of which there is one more than there are places.
    fileprivate func pieces(between mark: String) -> [String] {
        let (bytes, wanted) = (Array(utf8), Array(mark.utf8))
        var pieces: [String] = []
        var (start, place) = (0, 0)
        while place < bytes.count {
            guard bytes[place...].starts(with: wanted) else {
                place += 1
                continue
            }
            pieces.append(String(decoding: bytes[start..<place], as: UTF8.self))
            place += max(1, wanted.count)
            start = place
        }
        return pieces + [String(decoding: bytes[start...], as: UTF8.self)]
    }
}
