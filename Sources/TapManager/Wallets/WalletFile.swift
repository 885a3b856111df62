import Bitcoin
import ByteCodec

/// A wallet as another program wrote it into a file: Liana's backup, a JSON object with a descriptor (Nunchuk, Specter), a
/// descriptor record of BIP-129 (Nunchuk), or descriptors, one on each line (Liana, Sparrow).
///
/// Source: Liana, `liana-gui/src/backup.rs`; libnunchuk, `descriptor.cpp`, `ParseDescriptors`, `ParseJSONDescriptors`.
package struct WalletFile: Sendable, Hashable {
    /// Why a file is not a wallet that can be watched.
    package enum Fault: Error, Equatable, Sendable {
        /// There is nothing in it.
        case empty
        /// It begins like JSON, but is not.
        case json
        /// A text that exceeds a limit: which.
        case excess(JSONFault.Reason)
        /// JSON that has no descriptor where programs write it.
        case noDescriptor
        /// A backup with more than one account, or none.
        case accounts(Int)
        /// A backup in a later form.
        case version(Int64)
        /// A network that is unknown.
        case network(String)
        /// The file is for one network, another one was asked for.
        case otherNetwork(Network, asked: Network)
        /// A taproot wallet: cards have no signatures for it.
        case taproot
        /// A record that cannot be used.
        case record(BSMSDescriptorRecord.Fault)
    }

    /// The descriptors, as written.
    package let descriptors: [String]
    /// The network that the file names; `nil` if it does not.
    package let network: Network?

    /// Reads a file.
    /// - Parameter network: the requested one; `nil`: the file's.
    /// - Throws: `Fault`. The descriptors themselves are not read yet.
    package init(parsing text: String, network asked: Network?) throws(Fault) {
        guard !text.hasEndlessLetter else { throw .excess(.endlessLetter) }
        let start = text.first { !$0.isWhitespace }
        let texts: [String]
        if start == "{" {
            (texts, network) = try Self.content(ofJSON: text)
        } else if text.hasPrefix(BSMSKeyRecord.version) {
            do throws(BSMSDescriptorRecord.Fault) {
                let record = try BSMSDescriptorRecord(opening: text, with: .none, network: asked)
                (texts, network) = (record.descriptors, nil)
            } catch { throw Self.isTaproot(text) ? .taproot : .record(error) }
        } else {
            // Sparrow and others write comments.
            texts = text.split(whereSeparator: \.isNewline).map(String.init).filter {
                !$0.hasPrefix("#") && !$0.allSatisfy(\.isWhitespace)
            }
            network = nil
        }
        if let network, let asked, network != asked { throw .otherNetwork(network, asked: asked) }
        guard !texts.isEmpty else { throw .empty }
        if texts.contains(where: Self.isTaproot) { throw .taproot }
        descriptors = Self.withoutBranches(texts)
    }

    /// Backups have every transaction in them.
    static let bounds = JSONBounds(length: maximumLength, valueCount: 200_000)
    /// The longest file, in bytes.
    package static let maximumLength = 16 << 20

    private static func content(ofJSON text: String) throws(Fault) -> ([String], Network?) {
        let value: JSONValue
        do throws(JSONFault) { value = try JSONReader.value(Array(text.utf8), within: bounds) } catch {
            throw bounds.excess(error.reason) == nil ? .json : .excess(error.reason)
        }
        guard let accounts = value["accounts"]?.array else {
            guard let descriptor = value["descriptor"]?.string else { throw .noDescriptor }
            return ([descriptor], nil)
        }
        // Left out, it is 0.
        let version = value["version"].map { $0.integer ?? -1 } ?? 0
        guard version == 0 else { throw .version(version) }
        guard let account = accounts.first, accounts.count == 1 else { throw .accounts(accounts.count) }
        guard let descriptor = account["descriptor"]?.string else { throw .noDescriptor }
        let name = value["network"]?.string ?? ""
        guard let network = networks[name] else { throw .network(name) }
        return ([descriptor], network)
    }

    /// The names of rust-bitcoin.
    private static let networks: [String: Network] = [
        "bitcoin": .main, "testnet": .test, "testnet4": .testnet4, "signet": .signet, "regtest": .regtest,
    ]

    private static func isTaproot(_ text: String) -> Bool {
        text.split(whereSeparator: \.isNewline).contains { $0.drop { $0.isWhitespace }.hasPrefix("tr(") }
    }

    /// Without the branches of descriptors before them, which some programs write for those that do not know multipath
    /// descriptors.
    private static func withoutBranches(_ texts: [String]) -> [String] {
        var kept: [String] = []
        var branches: Set<String> = []
        for text in texts {
            let descriptor = try? Descriptor(parsing: text)
            if let own = descriptor?.text, branches.contains(own) { continue }
            kept.append(text)
            if let descriptor, descriptor.branchCount > 1 { branches.formUnion(descriptor.branches.compactMap(\.text)) }
        }
        return kept
    }
}
