import Bitcoin
import FrontEndText
import TapManager
import TextLayout

/// A wallet with its balance and coins, for the user.
struct WalletText {
    private let view: WalletOverview

    init(_ view: WalletOverview) { self.view = view }

    var lines: [String] {
        let wallet = view.wallet
        var lines =
            ["\(wallet.name) (\(wallet.network)\(multisig))"] + wallet.descriptors.compactMap(\.text).map { "  " + $0 }
        lines += spendingPaths + registrations + drill
        guard let chain = view.chain else {
            return lines + ["  Not synchronized yet: tapkit wallet sync \(wallet.name)"]
        }
        lines.append("  Confirmed:   \(view.confirmed.text(on: wallet.network))")
        let unconfirmed = view.unconfirmed?.text(on: wallet.network) ?? "unknown: the server did not check"
        lines.append("  Unconfirmed: \(unconfirmed)")
        for coin in chain.coins.sorted(by: { ($0.height ?? .max) > ($1.height ?? .max) }) { lines += self.lines(coin) }
        lines.append("  " + Self.age(of: chain) + ".")
        if !chain.coins.isEmpty {
            lines.append(
                "  The server claims that these coins were received. Spending is proven by signatures.")
        }
        if !chain.hasHistory {
            lines.append("  This server reports only unspent coins: used and emptied addresses look new.")
        }
        return lines
    }

    /// How many must sign, if all descriptors of a multisig wallet agree.
    private var multisig: String {
        let words = view.wallet.descriptors.map { descriptor in
            descriptor.multisig.map { ", multisig \($0.threshold) of \($0.keyCount)" } ?? ""
        }
        return Set(words).count == 1 ? words[0] : ""
    }

    /// The spending paths, if the wallet has a policy, and which coins they are open to.
    private var spendingPaths: [String] {
        let paths = view.spendingPaths
        guard !paths.isEmpty else {
            return view.wallet.hasUnlistedPaths ? ["  \(Self.unlistedPaths)"] : []
        }
        return ["  Spending paths (tapkit tx create --path NUMBER):"]
            + paths.flatMap { path in
                ["    \(path.number)  \(path.words)"]
                    + (view.opening(of: path).map { ["       \(text($0))"] } ?? [])
            }
    }

    /// What is not possible with a wallet that has more spending paths than are listed.
    static let unlistedPaths =
        "The wallet has too many spending paths to list: --path cannot choose one, tx create sets none of their locks, and "
        + "there is no kit."

    /// Spending paths with locks that are open to a coin, or will be soon: whoever can take them is no longer locked out.
    private func openings(of coin: WalletCoin) -> [String] {
        view.openings(of: coin).map { opening in
            switch opening.when {
            case .open: "path \(opening.path) is open"
            case .blocks(let blocks, _):
                "path \(opening.path) opens in \(blocks.counted("block")), \(SpendingTerms.time(ofBlocks: blocks))"
            case .time(_, isPast: true): "path \(opening.path) is probably open"
            case .time(let time, isPast: false): "path \(opening.path) opens around \(time.isoDate)"
            }
        }
    }

    private var registrations: [String] {
        view.registrations.map { stored, text, isProven in
            let card = stored.account.fingerprint
            guard text != nil else { return "  NOT what \(card) registered: it was altered. Do not use it." }
            let said = "egistered by \(card) on \(stored.created.isoDate)"
            return isProven
                ? "  R\(said)"
                : "  Said to be r\(said); the card proves it: "
                    + "tapkit wallet receive \(ShellWord.quoted(view.wallet.name)) --verify"
        }
    }

    /// The kit for heirs, and when each spending path was last proven.
    private var drill: [String] {
        let drill = view.drill
        let kit = drill.kitWritten.map { ["  Kit written on \($0.isoDate)"] } ?? []
        let numbers = Set(drill.proven.keys).union(kit.isEmpty ? [] : KitPath.all(of: view.wallet).map(\.number))
        let proofs = numbers.sorted().map { number in
            "path \(number) " + (drill.proven[number].map { "on \($0.isoDate)" } ?? "never")
        }
        return kit
            + (proofs.isEmpty ? [] : ["  Last proven with a kit and backups: " + proofs.joined(separator: ", ")])
    }

    private func text(_ opening: SpendingPathOpening) -> String {
        let doubt = opening.isEstimated ? "probably " : ""
        let open = "\(doubt)open to \(opening.openCoins) of \(opening.coins.counted("coin"))"
        guard let next = opening.next, let words = next.words else { return open }
        if let time = next.time, time < view.time {
            let name = ShellWord.quoted(view.wallet.name)
            return "\(open); the next has probably opened by now: tapkit wallet sync \(name)"
        }
        return "\(open); opens to the next coin from \(words)"
    }

    private func lines(_ coin: WalletCoin) -> [String] {
        let address = view.address(of: coin)?.description
        let amount = coin.amount?.text(on: view.wallet.network) ?? "?"
        var parts = ["    \(amount) at \(address ?? "script \(coin.output.scriptPubKey.abbreviated)")"]
        parts.append(coin.height.map { "height \($0)" } ?? "unconfirmed")
        if view.isChange(coin.place) { parts.append("change") }
        if view.frozen.contains(coin.outpoint) { parts.append("FROZEN by label") }
        if let label = view.label(of: coin).flatMap(LabelText.quoted) { parts.append(label) }
        parts += openings(of: coin)
        if let id = view.taken[coin.outpoint] { parts.append("spent by the stored transaction \(id)") }
        return [parts.joined(separator: " · "), "      \(coin.outpoint)"]
    }

    /// The height, source and age of a chain server's answer.
    static func age(of chain: WalletChain) -> String {
        age(server: chain.server, height: chain.height, time: chain.time)
    }

    /// The same, from its parts.
    static func age(server: String, height: Int, time: UnixTime, now: UnixTime = .now()) -> String {
        "at height \(height), according to \(server), \(TransactionLine.age(now.seconds - time.seconds))"
    }
}
