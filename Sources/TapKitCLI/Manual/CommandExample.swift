/// A command line as somebody would type it, and what it does: for the manual and `tapkit help VERB`.
struct CommandExample {
    /// What is typed.
    let line: String
    /// What comes of it.
    let meaning: String

    /// The example of a verb's use.
    private init(_ line: String, _ meaning: String) {
        self.line = line
        self.meaning = meaning
    }

    /// The examples of a verb, or of one below it.
    /// - Parameter words: the verb's, from outside in: `["wallet", "add"]`.
    static func beginning(with words: [String]) -> [CommandExample] {
        let beginning = (["tapkit"] + words).joined(separator: " ") + " "
        return all.filter { "\($0.line) ".hasPrefix(beginning) }
    }

    /// All examples, in the order of the verbs. Words in capitals stand for what only the reader knows.
    static let all: [CommandExample] = [
        .init("tapkit readers --watch", "Tell when readers and cards come and go, until Ctrl-C."),
        .init("tapkit status --wait 30", "Wait half a minute for a card, and say what it is."),
        .init(
            "tapkit status --reader nfc:pn532_uart:/dev/ttyUSB0", "The same on a PN532 board at a serial port."),
        .init("tapkit verify", "Ask for every proof that needs no CVC."),
        .init("tapkit verify --cvc-file cvc", "Also ask for the proofs of the card's keys for money."),
        .init("tapkit setup --backup card.aes", "Make a new TAPSIGNER ready; you are asked for both CVCs."),
        .init("tapkit setup --network test --path m/84h/1h/0h", "The same with a card for the test networks."),
        .init("tapkit backup --output card.aes", "Save the encrypted backup once more."),
        .init("tapkit backup verify card.aes", "Check that the backup opens and is of the card on the reader."),
        .init("tapkit change-cvc", "Ask for the CVC and twice for the new one."),
        .init("tapkit derive m/84h/0h/1h", "Move the card to the second account."),
        .init("tapkit xpub", "The account's extended public key."),
        .init("tapkit export descriptors", "The account's descriptor, for a watch-only wallet."),
        .init("tapkit sign tx.psbt", "Show the transaction, ask, sign, and write tx.signed.psbt."),
        .init(
            "tapkit sign tx.psbt --output signed.psbt --extract",
            "Also print the whole transaction, when no signature is missing."),
        .init("tapkit review tx.psbt", "Look at it, without a card."),
        .init("tapkit tx create --wallet savings --to ADDRESS=0.001btc --target 6", "Build a payment and keep it."),
        .init("tapkit tx sign 48d618812d57", "Sign what was kept; the beginning of its id is enough."),
        .init("tapkit tx broadcast 48d618812d57", "Send it."),
        .init("tapkit tx bump 48d618812d57 --fee-rate 12", "Replace it by one that pays more."),
        .init(
            "tapkit recover sign tx.psbt --backup card.aes",
            "The card is lost: sign with its backup, and move the money to a new key."),
        .init("tapkit address --qr", "The address to be paid at, with its QR code."),
        .init("tapkit address --qr pay.png", "The same, with the code as an image."),
        .init("tapkit slots --balance", "What every slot of the card holds."),
        .init("tapkit slots --cvc-file cvc --show-keys", "The private keys of unsealed slots."),
        .init("tapkit unseal", "Unseal the slot in use for good, after a question, and show its key."),
        .init("tapkit sweep --to ADDRESS --all --broadcast", "Take everything that is on a SATSCARD, and send it."),
        .init("tapkit message sign 'This is my address'", "Show that you hold the account's first address."),
        .init("tapkit message verify ADDRESS SIGNATURE 'This is my address'", "Verify what somebody else has shown."),
        .init("tapkit url", "The card's tap link, verified."),
        .init("tapkit url verify 'LINK'", "What a link proves, without a card and offline."),
        .init("tapkit wait", "Run off the delay after wrong CVCs."),
        .init("tapkit doctor", "What stands between you and a card on the reader."),
        .init("tapkit card name YTIZ2-MQZZZ 'Blue card'", "Call a card so that you can tell it from others."),
        .init("tapkit store check", "Read everything that is kept, and say what is wrong."),
        .init("tapkit store backup --output copy.sqlite", "Copy the store while others use it."),
        .init("tapkit store forget YTIZ2-MQZZZ", "Let a card prove its keys anew, as if it was never seen."),
        .init("tapkit config set chain electrum:electrum.example.org:50002:s", "Use this server from now on."),
        .init("tapkit config list", "What is configured."),
        .init("tapkit wallet add savings", "Watch the account of the card on the reader."),
        .init(
            "tapkit wallet add family --threshold 2 --cards 3 --wait",
            "Make a wallet of three cards, of which two must sign."),
        .init("tapkit wallet receive savings --verify --qr", "The next address, which the card has the key of."),
        .init("tapkit wallet history savings --csv", "What came and went, as a table for other programs."),
        .init("tapkit wallet labels export savings labels.jsonl", "Write the labels for another wallet."),
        .init("tapkit hwi enumerate", "The cards that Bitcoin Core would find with -signer=\"tapkit hwi\"."),
        .init(
            "tapkit hwi getdescriptors --fingerprint 90305e14 --chain main", "What Bitcoin Core makes its wallet of."),
        .init("tapkit sim new card.json --product satscard", "Make a simulated SATSCARD."),
        .init("tapkit sim serve card.json --vpcd 127.0.0.1:35963", "Lay it on the virtual PC/SC reader."),
        .init("tapkit demo", "See it all on a simulated card."),
        .init("tapkit help errors", "Every error code with its exit status."),
    ]
}
