import Bitcoin
import FrontEndText
import TapManager
import TapProtocol
import TextLayout

/// What a kit says to people: who can spend, whose keys they are, and what to do. No secret is in it.
struct KitText {
    private let kit: WalletKit
    private static let width = 76

    init(_ kit: WalletKit) { self.kit = kit }

    /// The wallet's name, in quotation marks.
    var title: String { "“\(TerminalText.neutralized(kit.wallet.name))”" }

    /// When it was written, and for which network.
    var origin: String {
        "Written on \(kit.written.isoDate) with tapkit. Network: "
            + (kit.wallet.network == .main ? "bitcoin." : "\(kit.wallet.network), a test network without real money.")
    }

    /// What can be done with it, and what not.
    static let meaning = [
        "This describes a Bitcoin wallet. It contains no key and no code: nobody can take the money with it alone. But "
            + "whoever reads it sees every address and payment of the wallet. Keep it private, and apart from the "
            + "cards, their backup files and their backup keys.",
        "Without the descriptors below, even all the cards together may not find the money.",
    ]

    /// Each way to spend, with what the last synchronization showed.
    var paths: [String] {
        guard !kit.paths.isEmpty else { return ["The descriptors say how to spend: there are too many ways to list."] }
        return kit.paths.map { path in
            let opening = kit.openings.first { $0.path == path.number }.map { ". \(words(of: $0.opening))" } ?? ""
            return "Path \(path.number): \(path.terms.words)\(opening)"
        }
    }

    private func words(of opening: SpendingPathOpening) -> String {
        let next = opening.nextHeight.map { block in
            "; to the next in block \(block)" + (kit.expectedTime(ofBlock: block).map { ", about \($0.isoDate)" } ?? "")
        }
        return "Open to \(opening.openCoins) of \(opening.coins.counted("coin"))\(next ?? "")"
    }

    /// As of when that is.
    var asOf: String? { kit.openings.isEmpty ? nil : kit.height.map { "That was so at block \($0)." } }

    /// Each key: whose it is, and where.
    var keys: [(name: String, holder: String, backups: [String])] {
        kit.wallet.shownKeys.map { key in
            guard let origin = key.origin else { return ("no fingerprint", "the key \(key.text.prefix(20))…", []) }
            let path = "at \(origin.path)"
            guard let card = kit.cards.first(where: { $0.fingerprint == origin.fingerprint }) else {
                return (
                    origin.fingerprint.description,
                    "\(path); none of the cards that the writer of this knew, perhaps a key in another program", []
                )
            }
            let name = card.name.map { " “\($0)”" } ?? ""
            return (
                origin.fingerprint.description, "\(path): \(card.product.displayName) \(card.ident)\(name)",
                card.backups.map { "\($0.created.isoDate)  \(Script($0.digest).description)" }
            )
        }
    }

    /// What to do, in order.
    var steps: [String] {
        let word = TerminalText.neutralized(ShellWord.quoted(kit.wallet.name))
        let network = kit.wallet.network == .main ? "" : " --network \(kit.wallet.network)"
        let file = KitFile.Name.descriptors.rawValue
        let path = kit.paths.count > 1 ? " --path NUMBER" : ""
        let first = kit.wallet.receivingBranch.flatMap { try? kit.wallet.address(at: $0.place(0)) }
        return [
            "Find a Linux computer that you trust, with tapkit. In this folder, type: "
                + "tapkit wallet add \(word) -\(network) < \(file)"
                + (first.map { ". The first address must be \($0)." } ?? "."),
            "tapkit wallet sync \(word) --chain SERVER shows the money (tapkit help servers).",
            "tapkit tx create --wallet \(word) --to ADDRESS --drain\(path) -o payment.psbt builds a payment of "
                + "everything to your own address; NUMBER is that of a path above that is open.",
            "Sign it with as many keys as the path says. With a card on the reader, type: tapkit tx sign ID; that "
                + "asks for the card's CVC. If a card is lost, type: tapkit recover sign payment.psbt --backup FILE; "
                + "that needs its backup file and asks for the backup key, 32 digits and letters printed on the back of "
                + "the card.",
            "tapkit tx broadcast ID sends it.",
        ]
    }

    /// What to beware of.
    static let warnings = [
        "Nobody who helps you needs to know a backup key or a CVC. Whoever asks for one wants the money.",
        "Never type a backup key or a CVC into a web page, and never send one to anybody.",
        "Do not edit these files: tapkit would take that for a forgery. Keep notes of your own in other files.",
    ]

    /// The whole text of `read-me.txt`.
    var readMe: String {
        var lines = ["HOW TO REACH THE MONEY OF THE WALLET \(title)", "", origin]
        section("What this is", Self.meaning, to: &lines)
        section("Who can spend", ["A key is named by eight digits and letters, its fingerprint."] + paths, to: &lines)
        if let asOf { lines += Self.wrapped(asOf) }
        lines += ["", "THE KEYS", ""]
        for key in keys {
            lines += Self.wrapped("\(key.name)  \(key.holder)", rest: "          ")
            if !key.backups.isEmpty {
                lines.append("          Its backup files were made on, and have the SHA-256:")
                lines += key.backups.map { "          \($0)" }
            }
        }
        lines += ["", "WHAT TO DO", ""]
        for (number, step) in zip(1..., steps) { lines += Self.wrapped("\(number). \(step)", rest: "   ") }
        section(
            "Other programs",
            [
                "\(KitFile.Name.descriptors.rawValue) has the wallet's output descriptors, which Sparrow and others "
                    + "read; \(KitFile.Name.core.rawValue) is for Bitcoin Core's importdescriptors. Signatures can "
                    + "be made in any program that has the keys.",
                "Cards may have registered this wallet. A registration has to stay with the owner of the card, so it "
                    + "is not here; register the wallet again: tapkit wallet register.",
            ], to: &lines)
        section("Beware", Self.warnings, to: &lines)
        section(
            "Try it before you need it",
            [
                "tapkit wallet rehearse --kit FOLDER --backup FILE proves that this folder and the backups are enough, "
                    + "with coins that do not exist."
            ], to: &lines)
        return lines.joined(separator: "\n") + "\n"
    }

    private func section(_ title: String, _ paragraphs: [String], to lines: inout [String]) {
        lines += ["", title.uppercased(), ""]
        for paragraph in paragraphs { lines += Self.wrapped(paragraph) }
    }

    private static func wrapped(_ text: String, rest: String = "") -> [String] {
        WrappedText.lines(text, width: width, rest: rest)
    }
}
