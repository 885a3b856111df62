import Bitcoin
import ChainData
import ExplainedErrors
import TapManager
import TextLayout

/// What the terminal adds to an error: the command lines that help, by the error's code and subject. Only this type
/// knows them; the errors of the layers below name no commands.
enum CommandHint {
    /// The hint for an error: its remedy, or the usual one, followed by command lines.
    static func hint(_ code: ErrorCode, _ subject: ErrorSubject? = nil, remedy: String = "") -> String {
        [remedy.isEmpty ? usual(code, subject) : remedy, commands(code, subject)].filter { !$0.isEmpty }.joined(
            separator: " ")
    }

    /// What to do, unless the error itself says so.
    private static func usual(_ code: ErrorCode, _ subject: ErrorSubject?) -> String {
        switch code {
        case .usage: "See tapkit help."
        case .noCard, .cardRemoved, .cardReset: "Put the card on the reader and run the command again, or use --wait."
        case .tampered: "Do not pay to this card."
        case .wrongNetwork: NetworkSource.ofThisRun.hint(subject)
        case .notGenuine: "Do not use this card. If the factory root is your own, accept it with --root-key."
        case .confirmationNeeded: "Use --yes to answer yes to all questions."
        case .cvcNeeded: "Use --cvc-file PATH, or --cvc-file - for standard input."
        case .chainUnreachable: "Try again, use another server, or --offline if the verb has it."
        case .keyNeeded: "Use --key-file PATH, or --key-file - for standard input."
        case .internalError: "Please report it, with the output of the same command with --trace."
        default: ""
        }
    }

    /// The command lines that help.
    private static func commands(_ code: ErrorCode, _ subject: ErrorSubject?) -> String {
        switch (code, subject) {
        case (.noService, .reader(.missingService)): "The command is \(Shell.installService)."
        case (.noService, .reader(.service)):
            "The command is \(Shell.startService) or, without systemd, \(Shell.startServiceAlone). "
                + "tapkit doctor checks whether anything else is wrong."
        case (.noService, .reader(.silentService)):
            "The command is \(Shell.restartBoth) or, without systemd, \(Shell.restartServiceAlone). "
                + "tapkit doctor checks whether anything else is wrong."
        case (.noService, .reader): "tapkit doctor checks whether anything else is wrong."
        case (.readerGone, .reader(.service)): "The command is \(Shell.restartService)."
        case (.transportFailed, .reader(.service)): "The command is \(Shell.restartService)."
        case (.noPermission, .reader(.port)): "For dialout, the command is sudo adduser $USER dialout."
        case (.noReader, .reader(.port)): "ls /dev/serial/by-id lists the serial ports."
        case (.noReader, .reader(.service)): "lsusb should list it; tapkit doctor investigates further."
        case (.noReader, .file): "Create one with tapkit sim new."
        case (.noReader, .reader(.unnamed(let example))): "For example: --reader \(example)."
        case (.noReader, .reader(.unlisted)): "List the readers with tapkit readers."
        case (.noReader, .reader), (.readerBusy, .reader): "tapkit doctor investigates further."
        case (.simFileNotFound, _): "Create one with tapkit sim new."
        case (.noCard, .choice(.patience)): "Use --wait to wait for them."
        case (.ambiguousCard, _): "Choose with --reader or --card."
        case (.wrongNetwork, .choice(.network)): "If the address is right, name its network with --network."
        case (.otherWallet, .path(let path as DerivationPath)): "Move it there with tapkit derive \(path)."
        case (.badResponse, _): "If it happens again, --trace shows what the card answers."
        case (.notSupported, .product(let product as CardProduct)):
            "These verbs work with a \(product.displayName): \(verbs(of: product).joined(separator: ", "))."
        case (.badProof, .memory): "Do that with tapkit store forget."
        case (.anotherCard, .memory): "If you mean this card, use its own fingerprint."
        case (.badProof, .choice(.chainCode)): "Give it with --chain-code."
        case (.alreadySetUp, .choice(.chainCode)): "To do so, leave --chain-code out."
        case (.badArgument, .choice(.messageFormat)): "Use --format bip137, or --address-type p2wpkh."
        case (.notSetUp, _): "Run tapkit setup."
        case (.slotUnused, _):
            "tapkit setup gives the next slot a key, once no slot is sealed; tapkit slots lists them."
        case (.cardUsedUp, _): "tapkit sweep --to ADDRESS takes out what it still holds; tapkit slots lists its slots."
        case (.tampered, _):
            "To rescue the money: tapkit sweep --to ADDRESS --all, or else tapkit unseal (SATSCARD); tapkit sign "
                + "(TAPSIGNER, SATSCHIP)."
        case (.wouldOverwrite, .choice(.overwriting)): "To overwrite it, use --force."
        case (.cvcInDoubt, .reader(.missingService)), (.cvcInDoubt, .reader(.service)),
            (.cvcInDoubt, .reader(.silentService)):
            "\(commands(.noService, subject)) Then run the same command again."
        case (.cvcInDoubt, _): "To do so, run the same command again."
        case (.rateLimited, _), (.wrongCVC, .lockout): "Wait out the lockout with tapkit wait."
        case (.otherCardsBackup, _): "Back up this card with tapkit backup."
        default: storeCommands(code, subject)
        }
    }

    /// The verbs of a product alone, besides those that work with every card.
    static func verbs(of product: CardProduct) -> [String] {
        guard product != .satscard else { return ["address", "slots", "unseal", "sweep", "setup", "message sign"] }
        let signer = ["sign", "xpub", "export", "wallet add", "message sign", "setup", "derive", "change-cvc"]
        return product == .tapsigner ? signer + ["backup"] : signer
    }

    /// Hints about the local store and its contents.
    private static func storeCommands(_ code: ErrorCode, _ subject: ErrorSubject?) -> String {
        switch (code, subject) {
        case (.storeUnsafe, .store(let path)):
            "If only its permissions are wrong, run chmod go-w \(ShellWord.quoted(path)). Choose another folder with --data-dir."
        case (.storeUnsafe, _), (.storeNewer, _), (.cannotWrite, .store): "Choose the folder with --data-dir."
        case (.storeDamaged, .store), (.storeFailed, .store): "tapkit store check shows details."
        case (.contradiction, .transaction(let id as TransactionID)): "Show it with tapkit tx show \(id)."
        case (.usage, .choice(.transaction)), (.noSuchTransaction, _): "List them with tapkit tx list."
        case (.alreadyConfirmed, .transaction(let id as TransactionID)),
            (.alreadyReplaced, .transaction(let id as TransactionID)):
            "Show it with tapkit tx show \(id.abbreviated). This asks the server again; for a transaction of a wallet, "
                + "tapkit wallet sync NAME does."
        case (.notComplete, .transaction(let id as TransactionID)):
            "Sign it with tapkit tx sign \(id.abbreviated)."
        case (.coinsTaken, .sweep(let id as TransactionID)):
            "Send it with tapkit tx broadcast \(id.abbreviated), or delete it with tapkit tx delete \(id.abbreviated)."
        case (.coinsTaken, .transaction(let id as TransactionID)):
            "Do that with tapkit tx delete \(id.abbreviated)."
        case (.coinsTaken, _): "Do that with tapkit tx delete."
        case (.noSuchWallet, _): "List them with tapkit wallet list."
        case (.walletExists, _): "To remove it, run tapkit wallet remove."
        case (.badDescriptor, .wallet): "Remove it with tapkit wallet remove, and add it again with tapkit wallet add."
        case (.badDescriptor, .choice(.recordToken)): "Give it with --token."
        case (.badDescriptor, .choice(.network)): "Name it with --network."
        case (.outOfReach, .choice(.addressIndex)): "Leave --index out to get it."
        case (.notExportable, .path(let usual as DerivationPath)):
            "Move it with tapkit derive \(usual); tapkit export descriptors works at any path."
        case (.notExportable, .choice(.exportDescription)): "Give it with --label."
        case (.notExportable, .choice(.addressType)):
            "Choose one with --address-type; tapkit export cosigner and tapkit xpub export only the key."
        case (.notExportable, _): "tapkit export descriptors works for every wallet."
        default: chainCommands(code, subject)
        }
    }

    /// Hints about chain servers and building transactions.
    private static func chainCommands(_ code: ErrorCode, _ subject: ErrorSubject?) -> String {
        switch (code, subject) {
        case (.badLink, .choice(.link)): "Put it in quotes: otherwise the shell cuts it off at the first &."
        case (.noChainServer, .wallet(let name)):
            "Run tapkit wallet sync \(name) with --chain, or set a default server: tapkit config set chain SERVER."
        case (.noChainServer, _):
            "Name one with --chain SERVER, or set a default with tapkit config set chain SERVER: \(ChainServer.forms)."
        case (.chainCertificateChanged, .server(let server)):
            "To accept the new one, remove “\(server)” from \(CertificatePinFile.name) in the local store's folder."
        case (.feeNeeded, _): "Use --fee-rate SAT_PER_VB."
        case (.feeTooHigh, .feeRate(let rate as FeeRate)): "Use --fee-rate \(rate.satoshisPerVirtualByteText)."
        case (.nothingToSweep, .choice(.slots)): "Use --all, or --slot."
        case (.nothingToSweep, .choice(.coins)): "Use --unconfirmed to spend them now."
        case (.feeTooHigh, _): "Choose one with --fee-rate; delete a stored sweep with tapkit tx delete."
        case (.noSuchCoin, .choice(.coins)): "Use --unconfirmed to spend it now."
        case (.noSuchCoin, _): "List the coins with tapkit wallet show."
        case (.insufficientFunds, .choice(.coins)):
            "tapkit tx delete frees coins; --coin spends frozen coins, --unconfirmed unconfirmed ones."
        default: ""
        }
    }
}
