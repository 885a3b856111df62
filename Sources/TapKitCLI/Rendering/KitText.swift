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
        "This describes a Bitcoin wallet. It contains no private key and no CVC: nobody can take the money with it "
            + "alone. But whoever reads it sees every address and payment of the wallet. Keep it private, and apart "
            + "from the cards, their backup files and their backup keys.",
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
        let next = opening.next?.words.map { "; opens to the next coin from \($0)" } ?? ""
        let open = opening.isEstimated ? "Probably open" : "Open"
        return "\(open) to \(opening.openCoins) of \(opening.coins.counted("coin"))\(next)"
    }

    /// As of when that is.
    var asOf: String? {
        guard !kit.openings.isEmpty, let clock = kit.clock else { return nil }
        return "According to the chain server on \(clock.time.isoDate), at block \(clock.height). "
            + "When a coin moves, its wait begins anew."
    }

    /// Each key: whose it is, and where.
    var keys: [(name: String, holder: String, backups: [String])] {
        kit.wallet.shownKeys.map { key in
            let labelled = kit.names[key]?.label.map { "labelled “\($0)”; " } ?? ""
            guard let origin = key.origin else {
                return ("no fingerprint", "\(labelled)the key \(key.text.prefix(20))…", [])
            }
            let path = "at \(origin.path)"
            guard let card = kit.cards.first(where: { $0.fingerprint == origin.fingerprint }) else {
                return (
                    origin.fingerprint.description,
                    "\(path): \(labelled)no card that the writer knew; perhaps a key in another program", []
                )
            }
            let name = card.name.map { " “\($0)”" } ?? ""
            let holder = "\(card.product.displayName) \(card.ident)\(name)"
            guard card.provenKeys.contains(key) else {
                return (
                    origin.fingerprint.description,
                    "\(path): said to be of \(holder), which has not proven it; perhaps no backup of that card has it",
                    []
                )
            }
            return (
                origin.fingerprint.description, "\(path): \(holder)",
                card.backups.map { "\($0.created.isoDate)  \(Script($0.digest).description)" }
            )
        }
    }

    /// Whether it is a known card's of which the store knows no backup.
    private func lacksBackup(_ key: WatchWallet.ShownKey) -> Bool {
        kit.cards.contains { $0.provenKeys.contains(key) && $0.backups.isEmpty }
    }

    /// The paths of keys that are said to be those of known cards, which have not proven them.
    private var unproven: [String] {
        kit.wallet.shownKeys.compactMap { key in
            guard let origin = key.origin,
                let card = kit.cards.first(where: { $0.fingerprint == origin.fingerprint }),
                !card.provenKeys.contains(key)
            else { return nil }
            return "\(card.name.map { "“\($0)”" } ?? "\(card.ident)") at \(origin.path)"
        }
    }

    /// The wallet's name, as commands take it.
    private var word: String { TerminalText.neutralized(ShellWord.quoted(kit.wallet.name)) }

    /// What the owner has to know or to do, beside what the kit says.
    var advice: [String] {
        let lacking = kit.cards.filter(\.backups.isEmpty).map { $0.name.map { "“\($0)”" } ?? "\($0.ident)" }
        var advice: [String] = []
        if !lacking.isEmpty {
            advice.append(
                "WARNING: No backup of \(lacking.joined(separator: ", ")) is stored. A card lost is a key lost.")
        }
        for key in unproven {
            advice.append(
                "WARNING: The key of \(key) is not proven: tapkit wallet receive \(word) --verify, then tapkit wallet "
                    + "kit with --force")
        }
        if kit.lacksDates {
            let fault =
                kit.clock.map { "The wallet was last synchronized on \($0.time.isoDate), so dates are old" }
                ?? "The wallet was never synchronized, so the kit has no dates"
            advice.append("WARNING: \(fault): tapkit wallet sync \(word), then tapkit wallet kit with --force")
        }
        if let distance {
            advice.append(
                "WARNING: \(distance) The kit tells heirs what to do if tapkit does not find everything: import "
                    + "\(KitFile.Name.core.rawValue) into Bitcoin Core, which looks far enough.")
        }
        if kit.wallet.branches.contains(where: \.isRanged) {
            advice.append(
                "Heirs may not find an address that is \(WalletSync.usualGapLimit) or more after the last paid one. If "
                    + "you gave one out, write the kit again when it is paid: tapkit wallet sync \(word) --gap-limit "
                    + "NUMBER, then tapkit wallet kit with --force")
        }
        return advice + [
            "A card's backup key is printed only on its back, and is lost with it: write each one down, and keep it "
                + "apart from the card and from the backup file."
        ]
    }

    /// That the wallet was used farther from the start than a search is certain to reach; `nil`: it was not.
    private var distance: String? {
        kit.excessiveGapLimit.map {
            "The wallet's address number \($0 - 1) was paid, but tapkit searches at most \(WalletSync.largestGapLimit) "
                + "unused addresses in a row, so it may not find all the money."
        }
    }

    /// What to do where no search is certain to find everything: Bitcoin Core is told how far to look.
    private var detour: String? {
        distance.map {
            "\($0) If something is missing, import \(KitFile.Name.core.rawValue) (importdescriptors) into a Bitcoin "
                + "Core wallet without private keys: it looks far enough. Instead of the next step, have Bitcoin Core "
                + "build the payment as a PSBT (walletcreatefundedpsbt), save it as \(Self.payment), and sign it with "
                + "tapkit sign \(Self.payment) instead of tapkit tx sign."
        }
    }

    /// One thing to do, and the command for it.
    struct Step {
        let text: String
        let command: String

        init(_ text: String, _ command: String) { (self.text, self.command) = (text, command) }
    }

    /// Whether one of the paths takes a preimage.
    private var takesPreimage: Bool { kit.paths.contains { !$0.terms.preimages.isEmpty } }

    /// Where the payment is saved: not in the kit's folder, which would then hold more than the kit, and may be on a disk
    /// that cannot be written to.
    private static let payment = "~/payment.psbt"
    /// What to do before another one: heirs of a wallet with locks do these steps several times.
    private static let again =
        " If you do this again later, first move \(payment) and \(SignedPSBTFile.usualPath(forSigned: payment)) to "
        + "another folder: they are the earlier payment."

    /// What to do, in order.
    var steps: [Step] {
        let network = kit.wallet.network == .main ? "" : " --network \(kit.wallet.network)"
        let path = kit.paths.count > 1 ? " --path NUMBER" : ""
        let preimage = takesPreimage ? " --preimage FILE" : ""
        let search = kit.gapLimit.map { " --gap-limit \($0)" } ?? ""
        return [
            Step(
                "Find a Linux computer that you trust, with tapkit. In this folder, type the following line."
                    + (kit.wallet.firstAddress.map { " The first address must be \($0)." } ?? ""),
                "tapkit wallet add \(word) -\(network) < \(KitFile.Name.descriptors.rawValue)"),
            Step(
                "Choose a server that knows the blockchain, SERVER: electrum:HOST:PORT:s or esplora:URL. It learns the "
                    + "wallet's addresses.", "tapkit config set chain SERVER"),
            Step(
                "See the money."
                    + (search.isEmpty ? "" : " Type the number, too: without it, some of the money may not be found.")
                    + (detour.map { " \($0)" } ?? ""),
                "tapkit wallet sync \(word)\(search)"),
            Step(
                "Build a payment of everything to your own address, ADDRESS. If some coins cannot be spent yet, tapkit says "
                    + "how many stay: keep the cards and backups until those coins are paid out, too."
                    + (path.isEmpty ? "" : " NUMBER is the number of a path above that is open.")
                    + (preimage.isEmpty
                        ? "" : " FILE has the preimage, if the path takes one; else leave that out.")
                    + Self.again,
                "tapkit tx create --wallet \(word) --to ADDRESS --drain\(path)\(preimage) -o \(Self.payment)"),
            Step(
                "Sign it with as many keys as the path says: put each card on the reader, and type the line below. ID "
                    + "is what the step before showed. You are asked for the card's CVC.", "tapkit tx sign ID"),
            Step(
                "If a card is lost, sign with its backup, FILE; if several are, do so with each of their backups. You "
                    + "are asked for the backup key, 32 digits and letters. It was printed on the back of the card: "
                    + "find the copy that the owner wrote down.",
                "tapkit recover sign \(Self.payment) --backup FILE"),
            Step("Send it.", "tapkit tx broadcast ID"),
        ]
    }

    /// What to beware of.
    static let warnings = [
        "Nobody who helps you needs to know a backup key or a CVC. Whoever asks for one wants the money.",
        "Never type a backup key or a CVC into a web page, and never send one to anybody.",
        "Do not edit these files: tapkit would call them altered. Keep notes of your own in other files.",
    ]

    /// The whole text of `read-me.txt`.
    var readMe: String {
        var lines = ["HOW TO REACH THE MONEY OF THE WALLET \(title)", "", origin]
        section("What this is", Self.meaning, to: &lines)
        section("Who can spend", ["A key is named by eight digits and letters, its fingerprint."] + paths, to: &lines)
        if let asOf { lines += Self.wrapped(asOf) }
        lines += ["", "THE KEYS", ""]
        for (key, shown) in zip(keys, kit.wallet.shownKeys) {
            lines += Self.wrapped("\(key.name)  \(key.holder)", rest: "          ")
            if !key.backups.isEmpty {
                lines.append("          Backup files (date, SHA-256; “sha256sum FILE” shows it):")
                lines += key.backups.map { "          \($0)" }
            } else if lacksBackup(shown) {
                lines.append("          No backup of this card is known: if it is lost, so is this key.")
            }
        }
        lines += ["", "WHAT TO DO", ""]
        for (number, step) in zip(1..., steps) {
            lines += Self.wrapped("\(number). \(step.text)", rest: "   ")
            // Never broken: it is to be copied.
            lines += ["", "       \(step.command)", ""]
        }
        lines.removeLast()
        section(
            "Other programs",
            [
                "\(KitFile.Name.descriptors.rawValue) has the wallet's output descriptors, which Sparrow and others "
                    + "read; \(KitFile.Name.core.rawValue) is for Bitcoin Core's importdescriptors. Signatures can "
                    + "be made in any program that has the keys."
                    + (kit.neededGapLimit.map { " Have them search at least \($0) addresses (their gap limit)." }
                        ?? ""),
                "Cards may have registered this wallet. A registration has to stay with the owner of the card, so it "
                    + "is not here: register the wallet again with each card.",
            ], to: &lines)
        section("Beware", Self.warnings, to: &lines)
        section(
            "Try it before you need it",
            [
                "The following line proves that this folder and the backups are enough, with coins that do not exist. "
                    + "It does not show that the folder is the owner's."
            ], to: &lines)
        lines += ["", "       tapkit wallet rehearse --kit . --backup FILE\(takesPreimage ? " --preimage FILE" : "")"]
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
