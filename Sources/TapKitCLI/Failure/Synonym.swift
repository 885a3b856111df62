/// Other words for verbs, as other programs and the cards' maker use them.
enum Synonym {
    /// The command after `tapkit` that a word means; `nil` if none is known.
    /// - Parameter verb: the verb before the word, outermost word first; empty at the top.
    static func command(for word: String, within verb: [String]) -> String? {
        // A link with its verb forgotten.
        if verb == ["url"], word.contains("/") { return "url verify" }
        return commands[(verb + [word.lowercased()]).joined(separator: " ")]
    }

    static let commands = [
        "init": "setup", "new": "setup", "version": "--version", "info": "status", "cards": "readers",
        "list": "readers", "cvc": "change-cvc", "pin": "change-cvc", "path": "derive", "pubkey": "xpub",
        "inspect": "review", "show": "review", "open": "unseal", "withdraw": "sweep", "name": "card name",
        "restore": "recover sign", "balance": "wallet list", "receive": "wallet receive", "sync": "wallet sync",
        "history": "wallet history", "labels": "wallet labels", "create": "tx create", "send": "tx create",
        "import": "tx import", "bump": "tx bump", "broadcast": "tx broadcast", "settings": "config",
        "tx new": "tx create", "tx send": "tx broadcast", "tx remove": "tx delete", "wallet new": "wallet add",
        "wallet create": "wallet add", "wallet import": "wallet add", "wallet delete": "wallet remove",
        "wallet address": "wallet receive", "wallet balance": "wallet show",
    ]
}
