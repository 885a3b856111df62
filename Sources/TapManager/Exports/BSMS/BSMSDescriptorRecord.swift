import Bitcoin

/// What a coordinator sends to signers in the second round: the wallet, and its first address.
///
/// Spec: BIP-129, "Round 2", "Descriptor Template".
package struct BSMSDescriptorRecord: Sendable, Hashable {
    /// Why a text is not a record, or cannot be trusted.
    package enum Fault: Error, Equatable, Sendable {
        /// It cannot be decrypted with the given token, or was altered.
        case notOpened
        /// A different version than `BSMS 1.0`, or not a record.
        case version
        /// The wrong number of lines; a record has four.
        case lines(Int)
        /// Path restrictions that do not match the template.
        case restrictions(String)
        /// More path restrictions than `maximumPathCount`.
        case tooManyPaths
        /// A path restriction with more steps than `maximumPathDepth`.
        case pathTooDeep
        /// More keys with `/**` than `maximumMarkCount`.
        case tooManyMarks
        /// A descriptor that cannot be parsed, with the reason.
        case descriptor(DescriptorError)
        /// The address is not valid on the network.
        case address(String)
        /// The wallet's first address differs: someone changed one of the two.
        case otherAddress(expected: String)
    }

    /// The most path restrictions to accept: wallets have two.
    static let maximumPathCount = 10
    /// The most steps of a path restriction: wallets have two below the exchanged keys, a number and the `*`.
    static let maximumPathDepth = 10
    /// The most keys with `/**` in a template: the largest possible multisig has 999, in addition to one internal key.
    ///
    /// Spec: BIP-387.
    static let maximumMarkCount = 1_000

    private static let noRestrictions = "No path restrictions"
    private static let templateMark = "/**"

    /// The wallet: one descriptor for each path restriction, without the record's checksum.
    package let descriptors: [String]
    /// The wallet's first address, according to the record.
    package let firstAddress: String
    private let lines: [String]

    /// The record for the signers: lines, without a newline at the end.
    package var text: String { lines.joined(separator: "\n") }

    /// A record of a wallet. That of a policy is as Nunchuk writes it: its descriptor and no path restrictions, as a
    /// template has the same steps after every key.
    /// - Throws: `ExportError`, also `.multisigOnly`, `.noOrigin`, `.unusualPolicy`.
    ///
    /// Source: libnunchuk, `src/utils/bsms.hpp`, `GetDescriptorRecord`.
    package init(_ source: ExportSource) throws(ExportError) {
        if let policy = try source.policy {
            guard let address = source.wallet.firstAddress else { throw .oneBranch }
            descriptors = [policy]
            firstAddress = address.description
            lines = [BSMSKeyRecord.version, policy, Self.noRestrictions, firstAddress]
            return
        }
        let account = try source.account
        guard case .multisig = account.form else { throw .multisigOnly }
        for (index, key) in account.keys.enumerated() where key.origin == nil { throw .noOrigin(index + 1) }
        guard let address = source.wallet.firstAddress else { throw .oneBranch }
        let keys = account.keys.map(\.apostropheText)
        descriptors = ["/0/*", "/1/*"].map { steps in account.body(keys: keys.map { $0 + steps }) }
        firstAddress = address.description
        lines = [
            BSMSKeyRecord.version, account.body(keys: keys.map { $0 + Self.templateMark }), "/0/*,/1/*", firstAddress,
        ]
    }

    /// Parses a record, and proves that its first address is the wallet's on one of these networks.
    /// - Throws: `Fault`; `.address` if the address is not valid on any of them.
    package init(parsing text: String, networks: [Network]) throws(Fault) {
        var lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }.map(String.init)
        while lines.last?.isEmpty == true { lines.removeLast() }
        guard lines.first == BSMSKeyRecord.version else { throw .version }
        guard lines.count == 4 else { throw .lines(lines.count) }
        self.lines = lines
        firstAddress = lines[3]
        let written = try Self.descriptors(lines[1], lines[2])
        do throws(Fault) {
            try Self.requireFirstAddress(lines[3], of: written, networks)
            descriptors = written
        } catch {
            guard case .otherAddress = error, let meant = Self.branches(meantBy: written),
                (try? Self.requireFirstAddress(lines[3], of: meant, networks)) != nil
            else { throw error }
            descriptors = meant
        }
    }

    /// Nunchuk leaves the branch out of a multisig wallet's keys, `…/*`, when there are no path restrictions, and means
    /// addresses at `…/0/*` and change at `…/1/*`; only the first address tells.
    ///
    /// Source: libnunchuk, `src/utils/bsms.hpp`, `GetDescriptorRecord` (`DescriptorPath::ANY`).
    private static func branches(meantBy written: [String]) -> [String]? {
        guard written.count == 1, let body = try? DescriptorChecksum.verify(written[0]),
            let descriptor = try? Descriptor(parsing: body),
            descriptor.keys.allSatisfy({ $0.steps.isEmpty && $0.wildcard == .normal })
        else { return nil }
        return ["/0/*", "/1/*"].map { body.pieces(between: "/*").joined(separator: $0) }
    }

    /// Decrypts and parses what a coordinator sent.
    /// - Parameter network: the requested one; `nil`: that of the record's first address.
    /// - Throws: `Fault`.
    package init(opening sent: String, with token: BSMSToken, network: Network?) throws(Fault) {
        guard let text = token.opened(sent) else { throw .notOpened }
        // All test networks except one share an address form.
        try self.init(parsing: text, networks: network.map { [$0] } ?? [.main, .test, .regtest])
    }

    private static func descriptors(_ template: String, _ restrictions: String) throws(Fault) -> [String] {
        guard restrictions != noRestrictions else {
            guard !template.contains(templateMark) else { throw .restrictions(restrictions) }
            return [template]
        }
        // The checksum, if there is one, covers the template.
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
        if restrictions == "/0/*,/1/*", let meant = branches(meantBy: [body]) { return meant }
        // Some coordinators write the descriptor itself, with the restrictions that it has anyway.
        guard let pieces = mark(for: paths).map({ body.pieces(between: $0) }),
            let bare = try? Descriptor(parsing: pieces.joined()),
            bare.keys.allSatisfy({ $0.steps.isEmpty && $0.wildcard == nil })
        else { throw .restrictions(restrictions) }
        return paths.map { pieces.joined(separator: String($0)) }
    }

    /// How a descriptor without a template mark expresses these paths: the only one, or a receive and a change branch
    /// in one.
    private static func mark(for paths: [Substring]) -> String? {
        guard paths.count > 1 else { return paths.first.map(String.init) }
        let branches = paths.compactMap { path in
            path.hasSuffix("/*") && !path.dropFirst().dropLast(2).contains { !$0.isNumber }
                ? path.dropFirst().dropLast(2) : nil
        }
        return branches.count == paths.count ? "/<\(branches.joined(separator: ";"))>/*" : nil
    }

    private static func requireFirstAddress(
        _ firstAddress: String, of descriptors: [String], _ networks: [Network]
    ) throws(Fault) {
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
    /// The parts between the places of a mark, of which there is one more than there are places.
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
