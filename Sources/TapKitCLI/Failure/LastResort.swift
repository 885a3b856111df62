import ChainData
import ExplainedErrors

/// General hints, for errors that have none from their layer or from the verb.
enum LastResort {
    /// A hint for each code; empty if there is nothing to do, because the user cancelled.
    static func hint(_ code: ErrorCode) -> String { files(code) ?? money(code) ?? servers(code) ?? cards(code) ?? "" }

    private static func files(_ code: ErrorCode) -> String? {
        switch code {
        case .badEnvironment: "Correct the environment variable, or unset it."
        case .badConfiguration: "See the settings with tapkit config list, and change them with tapkit config set."
        case .noInputFile: "Check the file's name and folder."
        case .inputUnreadable: "Check the file and its permissions."
        case .inputTooLarge: "Check that it is the right file."
        case .cannotWrite: "Check the folder and its permissions."
        case .wouldOverwrite: "Name another file."
        case .storeBusy: "Try again when the other process has finished."
        case .storeUnsafe, .storeNewer, .storeDamaged, .storeFailed: "tapkit store check shows details."
        case .diskFull: "Free some disk space, and run the command again."
        case .badPSBT: "Export the PSBT again from the program that made it."
        case .contradiction, .noSuchTransaction: "List the stored transactions with tapkit tx list."
        case .badLabels: "Export the labels again, one JSON object per line (BIP-329)."
        case .simBadOptions: "See tapkit help sim new."
        case .simBadAddress: "See tapkit help sim serve."
        case .simFileExists: "Name another file."
        case .simFileNotFound, .simFileDamaged: "Create another card with tapkit sim new."
        case .simInUse: "End the other process, or use another file."
        case .simFileFailed: "Check the file's name, its folder and its permissions."
        default: nil
        }
    }

    private static func money(_ code: ErrorCode) -> String? {
        switch code {
        case .refused: "Do not sign it. Ask the person who made the PSBT."
        case .notAccepted: "tapkit help findings explains the codes."
        case .nothingToSign: "Use the card whose fingerprint the PSBT names."
        case .notComplete: "Pass the PSBT on to the other signers."
        case .alreadyConfirmed, .alreadyReplaced: "See what became of it with tapkit tx show."
        case .noSuchWallet: "List the wallets with tapkit wallet list."
        case .walletExists, .badWalletName: "Choose another name."
        case .badDescriptor: "Export the descriptor again from the program that made it."
        case .notExportable: "Use another format."
        case .badAmount: "Give the unit, for example 5000sat or 0.00005btc."
        case .badFeeRate: "Give it in satoshis per virtual byte, for example 2.5."
        case .badPaymentURI: "Ask the payee for another one."
        case .insufficientFunds: "Pay less, or wait until more has arrived."
        case .dust: "Pay more to this address, or leave it out."
        case .nothingToSweep: "See what the slots hold with tapkit slots --balance."
        case .feeTooHigh: "Use a lower fee rate."
        case .noSuchCoin, .cannotBuild: "List the wallet's coins with tapkit wallet show."
        case .coinsTaken: "See what spends them with tapkit tx list."
        case .cannotBump: "See the transaction's state with tapkit tx show."
        case .feeNeeded: "Use --fee-rate SAT_PER_VB."
        case .otherWallet: "Use a card of this wallet; see its keys with tapkit wallet show."
        case .alteredWallet: "Do not use the wallet: compare it with your own copy, remove it, and add the right one."
        case .badKit: "Name the folder that tapkit wallet kit wrote."
        case .alteredKit: "Do not use this copy of the kit; write a new one with tapkit wallet kit."
        case .badRegistration: "Give the whole text that tapkit wallet register wrote for this wallet and this card."
        case .outOfReach: "Do not pay to it: use another address, or another wallet."
        case .badAddress: "Copy the whole address again."
        case .badSignature: "Compare the address, the signature and the message with what you were sent."
        case .signatureInconclusive: "Do not rely on it."
        case .transactionRejected:
            "It may be confirmed already, another transaction may have spent its coins, or the server may have it: "
                + "check that before you pay again, or replace it with tapkit tx bump."
        default: nil
        }
    }

    private static func servers(_ code: ErrorCode) -> String? {
        switch code {
        case .noChainServer: "Name one with --chain."
        case .chainTLS: "Check the server's name and certificate, or use another server."
        case .chainCertificateChanged: "Use another server, unless you know why the certificate changed."
        case .chainProxy: "Start the proxy, or check --proxy."
        case .chainUnauthorized: "Check the user and password in --chain, or the node's cookie file."
        case .chainRateLimited: "Wait a while, or use another server."
        case .chainNotReady: "Try again later."
        case .chainServerError, .chainMalformed, .chainTooLarge, .chainFailed: "Use another server: --chain."
        case .chainWrongNetwork: "Use a server of this network: --chain."
        case .chainLied: "Do not use this server any more."
        case .chainUnsupported: "Use a server of another kind: \(ChainServer.forms)."
        default: nil
        }
    }

    private static func cards(_ code: ErrorCode) -> String? {
        switch code {
        case .noService, .noReader, .noPermission: "tapkit doctor shows what is missing."
        case .readerBusy: "Close the other program, and try again."
        case .readerGone: "Plug the reader in again."
        case .transportFailed: "Put the card flat on the reader, and do not move it. tapkit doctor checks the reader."
        case .cardMute, .statusWord, .badResponse, .cardError:
            "Put the card flat on the reader, do not move it, and try again."
        case .ambiguousCard: "Choose with --reader or --card."
        case .anotherCard: "Put the first card back on the reader."
        case .timedOut: "Try again, or wait longer: --wait SECONDS."
        case .unluckyNumber: "Try again."
        case .notATapCard: "Put a tap card on the reader, and nothing else."
        case .notSupported: "tapkit status shows what the card can do next."
        case .backupFirst: "Make a backup with tapkit backup."
        case .badArgument: "Check the command's arguments."
        case .badPath: "Use a path such as m/84h/0h/0h, or m/84h/1h/0h on test networks."
        case .badChainCode: "Give 64 hexadecimal digits, or leave it out."
        case .weakRandomness: "Do not make keys on this system."
        case .notSetUp: "Run tapkit setup."
        case .alreadySetUp: "Change its path with tapkit derive, or its CVC with tapkit change-cvc."
        case .slotUnused, .slotSealed, .noSuchSlot, .cardUsedUp: "List the slots with tapkit slots."
        case .slotOpened: "Use the sealed slot: tapkit address."
        case .badProof: "Do not use this card."
        case .alteredSignature: "Do not sign on this system again."
        case .badLink: "Tap the card again, and copy the whole link."
        case .forgedLink: "Do not pay to the address in the link."
        case .badBackup: "Check that the file is the card's complete backup file."
        case .badBackupKey, .wrongBackupKey: "The backup key is printed on the back of the card that made the backup."
        case .otherCardsBackup: "Back up this card with tapkit backup."
        case .badCVC: "Use 6 to 32 digits."
        case .wrongCVC: "It is printed on the back of the card, unless it was changed."
        case .unprovenCVC: "Leave the card on the reader, and try again."
        case .cvcInDoubt: "Keep both CVCs, and run the same command again with them."
        case .rateLimited: "Wait out the lockout with tapkit wait."
        default: nil
        }
    }
}
