import Bitcoin
import TapManager
import Terminal
import TextLayout

/// A key of a new policy, and what is known about whose it is.
struct PolicyHolder: Sendable {
    /// The key.
    let key: PolicyKey
    /// The title of the card that has proven it, or what its sender calls it; `nil`: nothing is known.
    let name: String?

    /// For the user, on one line: fingerprint, path and name.
    var line: String {
        "\(key.origin.fingerprint) at \(key.origin.path)" + (name.map { ", \(TerminalText.neutralized($0))" } ?? "")
    }
}

/// Finds the keys that the user names.
struct PolicyHolders {
    private let known: [ProvenKey]
    private let network: Network?

    /// - Parameters:
    ///   - known: the keys that cards have proven.
    ///   - network: the requested network; `nil`: any.
    init(_ known: [ProvenKey], network: Network?) { (self.known, self.network) = (known, network) }

    /// The keys that can be chosen by their number, in order.
    var choices: [PolicyHolder] { known.map { PolicyHolder(key: $0.key, name: $0.card.title) } }

    private static let cardMark = "card:"
    private static let fileLimit = 1 << 16

    /// The key that a text names: `card:TEXT`, the key itself, or a file with it.
    /// - Throws: `Failure`: `.usage`, `.badDescriptor`, `.wrongNetwork`, `.ambiguousCard`, `.badProof` for a key that is said to
    ///   be a card's at a path at which the card has proven another one, and what reading a file throws.
    func holder(_ text: String) throws(Failure) -> PolicyHolder {
        let holder = try found(text)
        if let network, network.keyNetwork != holder.key.key.network {
            throw Failure(
                .wrongNetwork, "The key of \(holder.key.origin.fingerprint) is not for the network \(network).",
                hint: "Keys that begin with tpub are for test networks, xpub for bitcoin.")
        }
        guard let own = known.first(where: { $0.key.origin == holder.key.origin }) else { return holder }
        guard own.key == holder.key else { throw Failure(WalletError.falseKey(own.key.origin, own.card.ident)) }
        return PolicyHolder(key: holder.key, name: own.card.title)
    }

    private func found(_ text: String) throws(Failure) -> PolicyHolder {
        if text.hasPrefix(Self.cardMark) { return try holder(ofCard: String(text.dropFirst(Self.cardMark.count))) }
        if text.hasPrefix("[") || Self.isBare(text) {
            do throws(PolicyKeyFault) { return PolicyHolder(key: try PolicyKey(parsing: text), name: nil) } catch {
                throw Failure(error)
            }
        }
        let content = String(decoding: try InputFile.read(text, limit: Self.fileLimit), as: UTF8.self)
        do throws(CosignerKeyText.Fault) {
            let read = try CosignerKeyText(parsing: content)
            // What anybody can write into a record is nobody's name.
            return PolicyHolder(
                key: read.key,
                name: read.name.flatMap { CardRecord.isName($0) ? "which its sender calls “\($0)”" : nil })
        } catch { throw Failure(error, file: text) }
    }

    /// Whether it is a key without an origin, which then is said, rather than that there is no such file.
    private static func isBare(_ text: String) -> Bool {
        guard case .failure(let fault) = Result(catching: { () throws(PolicyKeyFault) in try PolicyKey(parsing: text) })
        else { return true }
        if case .key = fault { return false }
        return true
    }

    /// The key of the one card whose ident or name has the text, or whose fingerprint it is.
    private func holder(ofCard text: String) throws(Failure) -> PolicyHolder {
        let matching = known.filter { one in
            !text.isEmpty
                && (one.card.ident.text.contains(text.uppercased()) || one.card.shownName == text
                    || one.key.origin.fingerprint.description == text.lowercased())
        }
        let cards = Set(matching.map(\.card.ident))
        guard let first = matching.first else {
            throw Failure(
                .usage, "The local store has no proven key of a card “\(text)”.",
                hint: "Put the card on the reader, and let it prove one: tapkit export cosigner.")
        }
        guard cards.count == 1 else {
            throw Failure(
                .ambiguousCard, "“\(text)” matches \(cards.count) cards.", hint: "Give more of the card's ident.")
        }
        return PolicyHolder(key: first.key, name: first.card.title)
    }
}

extension CardRecord {
    /// Product, ident and name.
    fileprivate var title: String { "\(product.displayName) \(ident.called(shownName))" }
}
