import Bitcoin
import ExplainedErrors
import TapManager

/// What the terminal adds to an error: the command lines that help, by the error's code and subject. The only place that
/// knows them; what the layers say themselves names no command.
enum CommandHint {
    /// The hint to an error: its remedy or what stands in for one, and the command lines behind it.
    static func hint(_ code: ErrorCode, _ subject: ErrorSubject? = nil, remedy: String = "") -> String {
        [remedy.isEmpty ? usual(code, subject) : remedy, commands(code, subject)].filter { !$0.isEmpty }.joined(
            separator: " ")
    }

    /// What to do, unless the error knows better.
    private static func usual(_ code: ErrorCode, _ subject: ErrorSubject?) -> String {
        switch code {
        case .usage: "See tapkit help."
        case .noCard, .cardRemoved, .cardReset: "Lay the card on the reader and run the command again, or use --wait."
        case .tampered: "Do not pay to this card."
        case .wrongNetwork: NetworkSource.ofThisRun.hint(subject)
        case .notGenuine: "Do not use this card. A card with a root of your own needs --root-key."
        case .confirmationNeeded: "Use --yes to answer all questions with yes."
        case .cvcNeeded: "Use --cvc-file PATH, or - for standard input."
        case .chainUnreachable: "Try again, use another server or, where the verb has it, --offline."
        case .keyNeeded: "Use --key-file PATH, or - for standard input."
        case .internalError: "Please report it with the output of the same command and --trace."
        default: ""
        }
    }

    /// The command lines that help.
    private static func commands(_ code: ErrorCode, _ subject: ErrorSubject?) -> String {
        switch (code, subject) {
        case (.noService, .reader): "tapkit doctor tells whether something else is wrong."
        case (.noReader, .file): "tapkit sim new makes one."
        case (.noReader, .reader("nfc")): "For example: --reader nfc:pn532_uart:/dev/ttyUSB0."
        case (.noReader, .reader(let spec)) where spec.hasPrefix("pcsc:"): "tapkit readers lists them."
        case (.noReader, .reader): "tapkit doctor looks further."
        case (.simFileNotFound, _): "tapkit sim new makes one."
        case (.noCard, .choice(.patience)): "--wait waits for them."
        case (.ambiguousCard, _): "Choose with --reader or --card."
        case (.otherWallet, .path(let path)): "tapkit derive \(path) moves it there."
        case (.badResponse, _): "If it stays so, --trace shows what the card says."
        case (.notSupported, .product("SATSCARD")): "For it: tapkit slots, tapkit address, tapkit unseal."
        case (.notSupported, .product): "For it: tapkit xpub, tapkit sign."
        case (.badProof, .memory): "tapkit store forget does that."
        case (.anotherCard, .memory): "If this card is meant, name it by its own fingerprint."
        case (.badProof, .choice(.chainCode)): "--chain-code takes it."
        case (.alreadySetUp, .choice(.chainCode)): "To do so, leave --chain-code out."
        case (.badArgument, .choice(.messageFormat)): "That is --format bip137, or --address-type p2wpkh."
        case (.notSetUp, _): "Run tapkit setup."
        case (.slotUnused, _): "tapkit setup gives the next slot one."
        case (.cardUsedUp, _): "tapkit slots lists its slots."
        case (.tampered, _):
            "To save what is on it: tapkit unseal, tapkit slots --show-keys (SATSCARD), tapkit sign (TAPSIGNER, SATSCHIP)."
        case (.rateLimited, _): "tapkit wait waits for that."
        case (.otherCardsBackup, _): "tapkit backup makes one of this card."
        default: storeCommands(code, subject)
        }
    }

    /// Those about the local store, and what is kept in it.
    private static func storeCommands(_ code: ErrorCode, _ subject: ErrorSubject?) -> String {
        switch (code, subject) {
        case (.storeUnsafe, _), (.storeNewer, _), (.cannotWrite, .store): "--data-dir names another folder."
        case (.storeDamaged, .store), (.storeFailed, .store): "tapkit store check says more."
        case (.contradiction, .transaction(let id)): "tapkit tx show \(id) shows it."
        case (.usage, .transaction), (.noSuchTransaction, _): "tapkit tx list shows them."
        case (.alreadyConfirmed, .transaction(let id)), (.alreadyReplaced, .transaction(let id)):
            "tapkit tx show \(short(id)) shows it; tapkit wallet sync asks the server again."
        case (.notComplete, .transaction(let id)):
            "tapkit tx sign \(short(id)) signs it."
        case (.coinsTaken, .sweep(let id)):
            "tapkit tx broadcast \(short(id)) sends it; tapkit tx delete \(short(id)) forgets it."
        case (.coinsTaken, .transaction(let id)):
            "tapkit tx delete \(short(id)) does that."
        case (.coinsTaken, _): "tapkit tx delete does that."
        case (.noSuchWallet, _): "tapkit wallet list shows them."
        case (.walletExists, _): "tapkit wallet remove does that."
        case (.badDescriptor, .wallet): "tapkit wallet remove takes it away, tapkit wallet add makes another."
        case (.badDescriptor, .choice(.recordToken)): "--token takes it."
        case (.badDescriptor, .choice(.network)): "--network names it."
        case (.outOfReach, .choice(.addressIndex)): "That is what comes when --index is left out."
        case (.notExportable, .path(let usual)):
            "tapkit derive \(usual) does so; tapkit export descriptors tells any."
        case (.notExportable, .choice(.exportDescription)): "--label takes it."
        case (.notExportable, .choice(.addressType)):
            "--address-type names one; tapkit export cosigner and tapkit xpub tell the key alone."
        case (.notExportable, _): "tapkit export descriptors tells every wallet."
        default: chainCommands(code, subject)
        }
    }

    /// Those about chain servers and what is built.
    private static func chainCommands(_ code: ErrorCode, _ subject: ErrorSubject?) -> String {
        switch (code, subject) {
        case (.badLink, .choice(.link)): "Put it in quotes: without them, a shell ends it at the first &."
        case (.noChainServer, .wallet(let name)):
            "tapkit wallet sync \(name), with --chain or a server that is set: tapkit config set chain …"
        case (.noChainServer, _):
            "Name one with --chain or, once and for all, with tapkit config set chain: esplora:URL, electrum:HOST:PORT, "
                + "core:URL."
        case (.chainCertificateChanged, .server(let server)):
            "It is forgotten when “\(server)” is taken out of \(CertificatePinFile.name) beside the local store."
        case (.feeNeeded, _): "Use --fee-rate SAT_PER_VB."
        case (.feeTooHigh, .feeRate(let rate)): "That is --fee-rate \(rate)."
        case (.nothingToSweep, .choice(.slots)): "--all takes it, or --slot."
        case (.nothingToSweep, .choice(.coins)): "--unconfirmed takes them now."
        case (.feeTooHigh, _): "--fee-rate names one; tapkit tx delete forgets a stored sweep."
        case (.noSuchCoin, _): "tapkit wallet show lists the coins."
        case (.insufficientFunds, .choice(.coins)):
            "tapkit tx delete frees coins, --coin spends frozen ones, --unconfirmed unconfirmed ones."
        default: ""
        }
    }

    /// As much of a transaction's id as people type.
    private static func short(_ id: String) -> Substring { id.prefix(TransactionID.abbreviatedLength) }
}
