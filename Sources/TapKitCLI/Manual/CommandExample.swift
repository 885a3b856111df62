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

    /// The examples of a verb, for its page of the manual.
    static func texts(of verb: String) -> [(line: String, meaning: String)] {
        beginning(with: [verb]).map { ($0.line, $0.meaning) }
    }

    /// All examples, in the order of the verbs. Words in capitals are placeholders.
    static let all: [CommandExample] = [
        .init("tapkit readers --watch", "Report readers and cards as they come and go, until Ctrl-C."),
        .init("tapkit status --wait 30", "Wait half a minute for a card, and say what it is."),
        .init(
            "tapkit status --reader nfc:pn532_uart:/dev/ttyUSB0", "The same on a PN532 board at a serial port."),
        .init("tapkit verify", "Ask the card for every proof that needs no CVC."),
        .init("tapkit verify --cvc-file cvc", "Also ask it to prove the keys that hold money."),
        .init("tapkit setup --backup card.aes", "Set up a new TAPSIGNER; tapkit asks for both CVCs."),
        .init("tapkit setup --network test --path m/84h/1h/0h", "Set up a card for the test networks."),
        .init("tapkit backup --output card.aes", "Save the encrypted backup once more."),
        .init("tapkit backup verify card.aes", "Check that the backup can be decrypted and is the card's."),
        .init("tapkit change-cvc", "Ask for the current CVC, then twice for the new one."),
        .init("tapkit derive m/84h/0h/1h", "Move the card to the second account."),
        .init("tapkit derive m/48h/0h/0h/2h", "Move it to where the keys of multisig wallets belong."),
        .init("tapkit xpub", "Show the account's extended public key."),
        .init("tapkit export descriptors", "Export the account's descriptor, for a watch-only wallet."),
        .init("tapkit sign tx.psbt", "Show the transaction, ask, sign, and write tx.signed.psbt."),
        .init(
            "tapkit sign tx.psbt --output signed.psbt --extract",
            "Also print the whole transaction, if no signature is missing."),
        .init("tapkit review tx.psbt", "Show what tapkit sign would show, without a card."),
        .init("tapkit tx create --wallet savings --to ADDRESS=0.001btc --target 6", "Build a payment and store it."),
        .init("tapkit tx list", "Show what is stored, who signs next, and what is confirmed."),
        .init("tapkit tx sign 48d618812d57", "Sign a stored transaction; the beginning of its id is enough."),
        .init("tapkit tx broadcast 48d618812d57", "Show it once more, ask, and send it."),
        .init("tapkit tx bump 48d618812d57 --fee-rate 12", "Replace it with one that pays a higher fee."),
        .init(
            "tapkit recover sign tx.psbt --backup card.aes",
            "Sign with the backup of a lost card, to move the money to a new key."),
        .init("tapkit address --qr", "Show the address to pay to, with its QR code."),
        .init("tapkit address --qr pay.png", "Save the QR code as an image."),
        .init("tapkit slots --balance", "Show what every slot of the card holds."),
        .init("tapkit slots --cvc-file cvc --show-keys", "Show the private keys of unsealed slots."),
        .init("tapkit unseal", "Permanently unseal the active slot, after a question, and show its key."),
        .init("tapkit sweep --to ADDRESS --all --broadcast", "Send everything that a SATSCARD holds to an address."),
        .init("tapkit message sign 'This is my address'", "Prove that you own the account's first address."),
        .init("tapkit message verify ADDRESS SIGNATURE 'This is my address'", "Verify a message that somebody signed."),
        .init("tapkit url", "Show the card's tap link, verified."),
        .init("tapkit url verify 'LINK'", "Check what a link proves, without a card and offline."),
        .init("tapkit wait", "Wait out the lockout after three wrong CVCs."),
        .init("tapkit doctor", "Find out what keeps you from using a card."),
        .init("tapkit card name YTIZ2-MQZZZ 'Blue card'", "Name a card, so that you can tell it from others."),
        .init("tapkit card name YTIZ2-MQZZZ --remove", "Remove its name."),
        .init("tapkit store check", "Read everything that is stored, and report what is wrong."),
        .init("tapkit store backup --output copy.sqlite", "Copy the store while others use it."),
        .init("tapkit store forget YTIZ2-MQZZZ", "Let a card prove its keys anew, as if it had never been seen."),
        .init("tapkit config set chain electrum:electrum.example.org:50002:s", "Use this server from now on."),
        .init("tapkit config list", "Show the settings."),
        .init("tapkit wallet add savings", "Watch the account of the card on the reader."),
        .init(
            "tapkit wallet add family --threshold 2 --cards 3 --wait",
            "Make a wallet of three cards, of which two must sign."),
        .init(
            "tapkit wallet receive savings --verify --qr", "Show the next address, which the card proves to be its own."
        ),
        .init("tapkit wallet history savings --csv", "Write all payments as a table for other programs."),
        .init("tapkit wallet labels export savings labels.jsonl", "Write the labels for another wallet."),
        .init("tapkit hwi enumerate", "List the cards that Bitcoin Core would find with -signer=\"tapkit hwi\"."),
        .init(
            "tapkit hwi getdescriptors --fingerprint 90305e14 --chain main",
            "Show the descriptors that Bitcoin Core makes its wallet from."),
        .init("tapkit serve --socket /tmp/cards.sock", "Serve your other programs at this socket, until Ctrl-C."),
        .init("tapkit sim new card.json --product satscard", "Make a simulated SATSCARD."),
        .init("tapkit sim serve card.json --vpcd 127.0.0.1:35963", "Put it on the virtual PC/SC reader."),
        .init("tapkit demo", "See everything on a simulated card."),
        .init("tapkit help errors", "List every error code with its exit status."),
    ]
}
