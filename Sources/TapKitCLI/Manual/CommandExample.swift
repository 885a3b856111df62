/// A command line as the user would type it, and what it does, for the manual and `tapkit help VERB`.
struct CommandExample {
    /// The command line.
    let line: String
    /// What it does.
    let meaning: String

    /// An example of a verb.
    private init(_ line: String, _ meaning: String) {
        self.line = line
        self.meaning = meaning
    }

    /// The examples of a verb and its subcommands.
    /// - Parameter words: the verb's words, outermost first: `["wallet", "add"]`.
    static func beginning(with words: [String]) -> [CommandExample] {
        let beginning = (["tapkit"] + words).joined(separator: " ") + " "
        return all.filter { "\($0.line) ".hasPrefix(beginning) }
    }

    /// All examples, in the order of the verbs. Words in capitals are placeholders.
    static let all: [CommandExample] = [
        .init("tapkit readers --watch", "Report readers and cards as they come and go, until Ctrl-C."),
        .init("tapkit status --wait 30", "Wait up to 30 seconds for a card, and show what it is."),
        .init(
            "tapkit status --reader nfc:pn532_uart:/dev/ttyUSB0", "The same, with a PN532 board on a serial port."),
        .init("tapkit verify", "Check every proof that needs no CVC."),
        .init("tapkit verify --cvc-file cvc", "Also check the proofs of the keys that hold money."),
        .init(
            "tapkit setup --backup card.aes",
            "Set up a new TAPSIGNER. You are asked for its current CVC and a new one."),
        .init("tapkit setup --network test --path m/84h/1h/0h", "The same, with a card for test networks."),
        .init("tapkit backup --output card.aes", "Save another encrypted backup."),
        .init(
            "tapkit backup verify card.aes",
            "Check that the backup can be decrypted and belongs to the card on the reader."),
        .init("tapkit change-cvc", "Change the CVC. You are asked for the current one, and twice for the new one."),
        .init("tapkit derive m/84h/0h/1h", "Move the card to the second account."),
        .init("tapkit xpub", "Show the account's extended public key."),
        .init("tapkit export descriptors", "Show the account's descriptor, for a watch-only wallet."),
        .init("tapkit sign tx.psbt", "Show the transaction, ask, sign, and write tx.signed.psbt."),
        .init(
            "tapkit sign tx.psbt --output signed.psbt --extract",
            "Also print the complete transaction, if no signature is missing."),
        .init("tapkit review tx.psbt", "Show the transaction without signing it. No card is needed."),
        .init("tapkit tx create --wallet savings --to ADDRESS=0.001btc --target 6", "Build a payment and store it."),
        .init("tapkit tx sign 48d618812d57", "Sign the stored payment; the start of its id is enough."),
        .init("tapkit tx broadcast 48d618812d57", "Send it."),
        .init("tapkit tx bump 48d618812d57 --fee-rate 12", "Replace it with one that pays a higher fee."),
        .init(
            "tapkit recover sign tx.psbt --backup card.aes",
            "Sign with the backup of a lost card, to move the money to a new key."),
        .init("tapkit address --qr", "Show the address to pay to, with its QR code."),
        .init("tapkit address --qr pay.png", "The same, with the QR code as an image file."),
        .init("tapkit slots --balance", "Show what every slot of the card holds."),
        .init("tapkit slots --cvc-file cvc --show-keys", "Show the private keys of unsealed slots."),
        .init("tapkit unseal", "Permanently unseal the active slot, after asking, and show its key."),
        .init("tapkit sweep --to ADDRESS --all --broadcast", "Send everything on a SATSCARD to an address."),
        .init("tapkit message sign 'This is my address'", "Prove that you own the account's first address."),
        .init("tapkit message verify ADDRESS SIGNATURE 'This is my address'", "Verify somebody else's signed message."),
        .init("tapkit url", "Show the card's tap link, verified."),
        .init("tapkit url verify 'LINK'", "Show what a link proves, offline and without a card."),
        .init("tapkit wait", "Wait out the lockout after wrong CVCs."),
        .init("tapkit doctor", "Find out why a card or reader does not work."),
        .init("tapkit card name YTIZ2-MQZZZ 'Blue card'", "Name a card so that you can tell it from others."),
        .init("tapkit store check", "Read everything in the store, and report problems."),
        .init("tapkit store backup --output copy.sqlite", "Copy the store, even while other programs use it."),
        .init("tapkit store forget YTIZ2-MQZZZ", "Make a card prove its keys again, as if it were new."),
        .init("tapkit config set chain electrum:electrum.example.org:50002:s", "Set the default server."),
        .init("tapkit config list", "Show the saved settings."),
        .init("tapkit wallet add savings", "Watch the account of the card on the reader."),
        .init(
            "tapkit wallet add family --threshold 2 --cards 3 --wait",
            "Make a wallet with three cards, two of which must sign."),
        .init(
            "tapkit wallet receive savings --verify --qr",
            "Show the next address, after the card proves that it has the key."),
        .init("tapkit wallet history savings --csv", "Export the wallet's history as a table for other programs."),
        .init("tapkit wallet labels export savings labels.jsonl", "Export the labels for another wallet."),
        .init("tapkit hwi enumerate", "List the cards that Bitcoin Core finds with -signer=\"tapkit hwi\"."),
        .init(
            "tapkit hwi getdescriptors --fingerprint 90305e14 --chain main",
            "Show the descriptors that Bitcoin Core makes its wallet from."),
        .init("tapkit sim new card.json --product satscard", "Create a simulated SATSCARD."),
        .init("tapkit sim serve card.json --vpcd 127.0.0.1:35963", "Put it on the virtual PC/SC reader."),
        .init("tapkit demo", "Try everything with a simulated card."),
        .init("tapkit help errors", "List every error code with its exit status."),
    ]
}
