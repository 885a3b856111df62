import ExplainedErrors

/// What helps with an error of a kind, where nobody knows better: neither the layer that it comes from nor the verb.
enum LastResort {
    /// A hint for each code; empty where there is nothing to do: somebody said no, or ended it.
    static func hint(_ code: ErrorCode) -> String { files(code) ?? money(code) ?? servers(code) ?? cards(code) ?? "" }

    private static func files(_ code: ErrorCode) -> String? {
        switch code {
        case .badEnvironment: "Correct the environment variable, or unset it."
        case .badConfiguration: "tapkit config list shows what is configured, tapkit config set changes it."
        case .noInputFile: "Check the file's name and folder."
        case .inputUnreadable: "Check the file and its permissions."
        case .inputTooLarge: "Check that it is the file that you mean."
        case .cannotWrite: "Check the folder and its permissions."
        case .wouldOverwrite: "Name another file."
        case .storeBusy: "Try again when the other process is done."
        case .storeUnsafe, .storeNewer, .storeDamaged, .storeFailed: "tapkit store check says more."
        case .diskFull: "Make room on the disk, and run the command again."
        case .badPSBT: "Export the PSBT again from the program that made it."
        case .contradiction, .noSuchTransaction: "tapkit tx list shows what is stored."
        case .badLabels: "Export the labels again, one JSON object a line (BIP-329)."
        case .simBadOptions: "See tapkit help sim new."
        case .simBadAddress: "See tapkit help sim serve."
        case .simFileExists: "Name another file."
        case .simFileNotFound, .simFileDamaged: "tapkit sim new makes another card."
        case .simInUse: "End the other process, or use another file."
        case .simFileFailed: "Check the simulated card's file and its permissions."
        default: nil
        }
    }

    private static func money(_ code: ErrorCode) -> String? {
        switch code {
        case .refused: "Do not sign it. Ask whoever made the PSBT."
        case .notAccepted: "tapkit help findings explains the codes."
        case .nothingToSign: "Use the card whose fingerprint the PSBT names."
        case .notComplete: "Pass the PSBT on to the other signers."
        case .alreadyConfirmed, .alreadyReplaced: "tapkit tx show shows what became of it."
        case .noSuchWallet: "tapkit wallet list shows the wallets."
        case .walletExists, .badWalletName: "Choose another name."
        case .badDescriptor: "Export the descriptor again from the program that made it."
        case .notExportable: "Use another format."
        case .badAmount: "Write it with its unit, such as 5000sat or 0.00005btc."
        case .badFeeRate: "Write satoshis per virtual byte, such as 2.5."
        case .badPaymentURI: "Ask the payee for another one."
        case .insufficientFunds: "Pay less, or wait until more has arrived."
        case .dust: "Pay more to it, or leave it out."
        case .nothingToSweep: "tapkit slots --balance shows what lies in the slots."
        case .feeTooHigh: "Use a lower fee rate."
        case .noSuchCoin, .cannotBuild: "tapkit wallet show shows the wallet's coins."
        case .coinsTaken: "tapkit tx list shows what spends them."
        case .cannotBump: "tapkit tx show tells what became of the transaction."
        case .feeNeeded: "Use --fee-rate SAT_PER_VB."
        case .otherWallet: "Use a card of this wallet: tapkit wallet show shows whose keys it has."
        case .outOfReach: "Do not pay there: use another address, or another wallet."
        case .badAddress: "Copy the whole address once more."
        case .badSignature: "Compare the address, the signature and the message with what you were sent."
        case .signatureInconclusive: "Do not rely on it."
        case .transactionRejected: "tapkit tx show shows the transaction; build another one if it cannot be sent."
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
        case .chainUnsupported: "Use a server of another kind: esplora:URL, electrum:HOST:PORT or core:URL."
        default: nil
        }
    }

    private static func cards(_ code: ErrorCode) -> String? {
        switch code {
        case .noService, .noReader, .noPermission: "tapkit doctor says what is missing."
        case .readerBusy: "Close the other program, and try again."
        case .readerGone: "Plug the reader in again."
        case .transportFailed: "Lay the card flat and still on the reader. tapkit doctor looks at the reader."
        case .cardMute, .statusWord, .badResponse, .cardError:
            "Lay the card flat and still on the reader, and try again."
        case .ambiguousCard: "Choose with --reader or --card."
        case .anotherCard: "Lay the first card back on the reader."
        case .timedOut: "Try again, or wait longer: --wait SECONDS."
        case .unluckyNumber: "Try again."
        case .notATapCard: "Lay a tap card on the reader, and nothing else."
        case .notSupported: "tapkit status says what the card can do next."
        case .backupFirst: "tapkit backup makes one."
        case .badArgument: "Check what was given to the command."
        case .badPath: "Use a path such as m/84h/0h/0h, or m/84h/1h/0h on test networks."
        case .badChainCode: "Write 64 hexadecimal digits, or leave it out."
        case .weakRandomness: "Do not use this system for keys."
        case .notSetUp: "Run tapkit setup."
        case .alreadySetUp: "tapkit derive changes its path, tapkit change-cvc its CVC."
        case .slotUnused, .slotSealed, .noSuchSlot, .cardUsedUp: "tapkit slots shows the slots."
        case .slotOpened: "Use the slot that is sealed now: tapkit address."
        case .badProof: "Do not use this card."
        case .alteredSignature: "Do not sign again here."
        case .badLink: "Tap the card again, and copy the whole link."
        case .forgedLink: "Do not pay to the address in it."
        case .badBackup: "Check that the file is the card's backup, and whole."
        case .badBackupKey, .wrongBackupKey: "The key is printed on the back of the card that made the backup."
        case .otherCardsBackup: "tapkit backup makes one of this card."
        case .badCVC: "Use 6 to 32 digits."
        case .wrongCVC: "It is printed on the back of the card, unless it was changed."
        case .unprovenCVC: "Leave the card on the reader, and try again."
        case .rateLimited: "tapkit wait waits until it is over."
        default: nil
        }
    }
}
