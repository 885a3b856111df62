/// Every code that `tapkit` can end with, apart from those that the layers below name themselves.
///
/// The raw value is what `--json` shows; `tapkit help errors` lists them with meaning and exit status.
enum ErrorCode: String, CaseIterable, Sendable {
    // Command line and configuration.
    case usage
    case badEnvironment = "bad_environment"
    case badConfiguration = "bad_configuration"
    // Input and output.
    case noInputFile = "no_input_file"
    case inputUnreadable = "input_unreadable"
    case inputTooLarge = "input_too_large"
    case badPSBT = "bad_psbt"
    case refused
    case notAccepted = "not_accepted"
    case nothingToSign = "nothing_to_sign"
    case notComplete = "not_complete"
    case badPath = "bad_path"
    case badChainCode = "bad_chain_code"
    case badLink = "bad_link"
    case cannotWrite = "cannot_write"
    case wouldOverwrite = "would_overwrite"
    // The local store.
    case storeUnsafe = "store_unsafe"
    case storeNewer = "store_newer"
    case storeDamaged = "store_damaged"
    case storeBusy = "store_busy"
    case storeFailed = "store_failed"
    case diskFull = "disk_full"
    case contradiction
    case noSuchTransaction = "no_such_transaction"
    // Wallets and transactions that are built.
    case noSuchWallet = "no_such_wallet"
    case walletExists = "wallet_exists"
    case badWalletName = "bad_wallet_name"
    case badDescriptor = "bad_descriptor"
    case notExportable = "not_exportable"
    case badLabels = "bad_labels"
    case badAmount = "bad_amount"
    case badFeeRate = "bad_fee_rate"
    case badPaymentURI = "bad_payment_uri"
    case insufficientFunds = "insufficient_funds"
    case dust
    case nothingToSweep = "nothing_to_sweep"
    case feeTooHigh = "fee_too_high"
    case noSuchCoin = "no_such_coin"
    case coinsTaken = "coins_taken"
    case cannotBuild = "cannot_build"
    case cannotBump = "cannot_bump"
    case feeNeeded = "fee_needed"
    case otherWallet = "other_wallet"
    case outOfReach = "out_of_reach"
    // Chain servers.
    case noChainServer = "no_chain_server"
    case chainUnreachable = "chain_unreachable"
    case chainTLS = "chain_tls"
    case chainCertificateChanged = "chain_certificate_changed"
    case chainProxy = "chain_proxy"
    case chainUnauthorized = "chain_unauthorized"
    case chainRateLimited = "chain_rate_limited"
    case chainNotReady = "chain_not_ready"
    case chainServerError = "chain_server_error"
    case chainMalformed = "chain_malformed"
    case chainTooLarge = "chain_too_large"
    case chainWrongNetwork = "chain_wrong_network"
    case chainLied = "chain_lie"
    case chainUnsupported = "chain_unsupported"
    case chainFailed = "chain_failed"
    case transactionRejected = "transaction_rejected"
    // Simulated cards.
    case simBadOptions = "sim_bad_options"
    case simFileExists = "sim_file_exists"
    case simFileNotFound = "sim_file_not_found"
    case simInUse = "sim_in_use"
    case simFileDamaged = "sim_file_damaged"
    case simFileFailed = "sim_file_failed"
    case simBadAddress = "sim_bad_address"
    // Readers.
    case noService = "no_pcscd"
    case noReader = "no_reader"
    case readerBusy = "reader_busy"
    case noPermission = "no_permission"
    case readerGone = "reader_gone"
    case transportFailed = "transport_failed"
    case cardMute = "card_mute"
    case ambiguousCard = "ambiguous_card"
    // The card and the person's hand.
    case noCard = "no_card"
    case cardRemoved = "card_removed"
    case cardReset = "card_reset"
    case anotherCard = "another_card"
    case timedOut = "timed_out"
    case unluckyNumber = "unlucky_number"
    // What the card says.
    case notATapCard = "not_a_tap_card"
    case notSupported = "not_supported"
    case statusWord = "status_word"
    case badResponse = "bad_response"
    case cardError = "card_error"
    case backupFirst = "backup_first"
    case badArgument = "bad_argument"
    case weakRandomness = "weak_randomness"
    case notSetUp = "not_set_up"
    case alreadySetUp = "already_set_up"
    case slotUnused = "slot_unused"
    case slotSealed = "slot_sealed"
    case slotOpened = "slot_opened"
    case noSuchSlot = "no_such_slot"
    case cardUsedUp = "card_used_up"
    case wrongNetwork = "wrong_network"
    // Proofs.
    case badProof = "bad_proof"
    case alteredSignature = "altered_signature"
    case notGenuine = "not_genuine"
    case tampered
    case badSignature = "bad_signature"
    case signatureInconclusive = "signature_inconclusive"
    case badAddress = "bad_address"
    case forgedLink = "forged_link"
    case badBackup = "bad_backup"
    case badBackupKey = "bad_backup_key"
    case wrongBackupKey = "wrong_backup_key"
    case otherCardsBackup = "other_cards_backup"
    case keyNeeded = "key_needed"
    // CVC.
    case badCVC = "bad_cvc"
    case wrongCVC = "wrong_cvc"
    case unprovenCVC = "unproven_cvc"
    case cvcNeeded = "cvc_needed"
    case rateLimited = "rate_limited"
    // The person.
    case confirmationNeeded = "confirmation_needed"
    case declined
    case cancelled
    case interrupted
    // tapkit itself.
    case internalError = "internal_error"

    /// The status the process ends with.
    var exitStatus: ExitStatus {
        switch self {
        case .usage, .confirmationNeeded, .simBadOptions, .simBadAddress: .usage
        case .badEnvironment, .badConfiguration, .storeUnsafe, .storeNewer: .configuration
        case .noInputFile, .simFileNotFound: .noInput
        case .inputUnreadable, .inputTooLarge, .badPSBT, .refused, .notAccepted, .nothingToSign, .notComplete, .badPath,
            .badChainCode, .badLink, .simFileDamaged, .notSetUp, .alreadySetUp, .slotUnused, .slotSealed, .slotOpened,
            .noSuchSlot, .cardUsedUp, .wrongNetwork, .badAddress, .signatureInconclusive, .backupFirst, .ambiguousCard,
            .notSupported, .badBackup, .badBackupKey, .wrongBackupKey, .otherCardsBackup,
            .badArgument, .storeDamaged, .contradiction, .noSuchTransaction, .noSuchWallet, .walletExists,
            .badWalletName, .badDescriptor, .notExportable, .badLabels, .badAmount, .badFeeRate, .badPaymentURI,
            .insufficientFunds,
            .dust, .nothingToSweep, .feeTooHigh, .noSuchCoin, .coinsTaken, .cannotBuild, .cannotBump, .feeNeeded,
            .otherWallet, .outOfReach, .chainWrongNetwork, .transactionRejected:
            .badInput
        case .cannotWrite, .wouldOverwrite, .simFileExists, .simFileFailed, .diskFull: .cannotCreate
        case .noService, .noReader, .readerGone, .readerBusy, .noPermission, .simInUse, .noChainServer,
            .chainUnreachable, .chainTLS, .chainProxy, .chainUnauthorized, .chainServerError, .chainMalformed,
            .chainTooLarge, .chainUnsupported, .chainFailed:
            .unavailable
        case .transportFailed, .cardMute, .statusWord, .badResponse, .cardError, .notATapCard,
            .storeFailed:
            .inputOutput
        case .noCard, .cardRemoved, .cardReset, .anotherCard, .timedOut, .unluckyNumber, .storeBusy,
            .chainRateLimited, .chainNotReady:
            .tryAgain
        case .badProof, .alteredSignature, .tampered, .badSignature, .notGenuine, .forgedLink, .chainLied,
            .chainCertificateChanged:
            .proofFailed
        case .badCVC, .wrongCVC, .unprovenCVC, .cvcNeeded, .keyNeeded, .rateLimited: .noPermission
        case .declined, .cancelled, .interrupted: .interrupted
        case .internalError, .weakRandomness: .software
        }
    }

    /// Whether it is worth looking again for a reader or a card: something is not there yet, or lies badly.
    var passesWithTime: Bool {
        switch self {
        case .noService, .noReader, .readerBusy, .readerGone, .simInUse, .noCard, .cardRemoved, .cardReset, .cardMute,
            .transportFailed:
            true
        default: false
        }
    }

    /// What it means, in one line.
    var meaning: String {
        switch self {
        case .usage: "The command line makes no sense."
        case .badEnvironment: "An environment variable has a value that makes no sense."
        case .badConfiguration: "The configuration file, or what it is to say, makes no sense."
        case .noInputFile: "An input file is not there."
        case .inputUnreadable: "An input file cannot be read."
        case .inputTooLarge: "An input is larger than the bound that the message names."
        case .badPSBT: "The file is no PSBT, or a damaged one."
        case .refused: "The PSBT lies, or asks for what no one should sign; every reason is listed."
        case .notAccepted: "Something was found that can lose money; --yes does not answer it, --accept does."
        case .nothingToSign: "No input of the PSBT belongs to this card, or to this backup."
        case .notComplete: "--extract was asked for, and signatures are missing."
        case .badPath: "Not a derivation path that the card can hold."
        case .badChainCode: "A chain code has 32 bytes, 64 hexadecimal digits."
        case .storeUnsafe: "Others can write the local store, so what stands in it cannot be trusted."
        case .storeNewer: "A newer tapkit wrote the local store."
        case .storeDamaged: "The local store is damaged; it is put aside, never overwritten."
        case .storeBusy: "Another process keeps the local store busy."
        case .storeFailed: "The local store failed in another way."
        case .diskFull: "The disk is full."
        case .contradiction: "The PSBT contradicts the stored one of the same transaction."
        case .noSuchTransaction: "No stored transaction has this id."
        case .noSuchWallet: "There is no wallet of this name."
        case .walletExists: "There is a wallet of this name already."
        case .badWalletName: "Not a name for a wallet."
        case .badDescriptor: "Not a descriptor that a wallet can watch."
        case .notExportable: "The format has no way to say what the wallet is."
        case .badLabels: "The file is no list of labels (BIP-329)."
        case .badAmount: "Not an amount: digits and a unit, 5000sat or 0.00005btc."
        case .badFeeRate: "Not a fee rate: satoshis per virtual byte, with at most three decimals."
        case .badPaymentURI: "Not a payment link (BIP-21), or one that cannot be paid."
        case .insufficientFunds: "The coins are not enough for what is to be paid and the fee."
        case .dust: "An output would be so small that nodes do not pass it on."
        case .nothingToSweep: "There is nothing to sweep: no coins that are worth their fee."
        case .feeTooHigh: "The fee would be larger than what is paid."
        case .noSuchCoin: "The wallet has no such coin, or it cannot be spent now."
        case .coinsTaken: "Another stored transaction spends the coins."
        case .cannotBuild: "The transaction cannot be built from this wallet."
        case .cannotBump: "The transaction cannot be replaced by one that pays more."
        case .feeNeeded: "No fee rate was given, and no server tells one."
        case .otherWallet: "The card has no key of this wallet."
        case .outOfReach: "The card could not sign for the address, or wallets do not look there."
        case .noChainServer: "A chain server is needed, and none is set."
        case .chainUnreachable: "The chain server cannot be reached, or does not answer."
        case .chainTLS: "There is no secure connection to the chain server, or none for a password."
        case .chainCertificateChanged: "The chain server shows another certificate than before, or none."
        case .chainProxy: "The proxy is not there or refuses."
        case .chainUnauthorized: "The chain server refuses the user or password."
        case .chainRateLimited: "The chain server asks to be left alone for a while."
        case .chainNotReady: "The chain server starts, still reads blocks, or has no time."
        case .chainServerError: "The chain server says that it cannot."
        case .chainMalformed: "The chain server's answer is not what its protocol says."
        case .chainTooLarge: "The chain server gives more than what is taken; the message names the bound."
        case .chainWrongNetwork: "The chain server is on another network."
        case .chainLied: "The chain server's answer is provably untrue."
        case .chainUnsupported: "This kind of chain server cannot do that."
        case .chainFailed: "The chain server failed in another way."
        case .transactionRejected: "The network does not take the transaction."
        case .simBadOptions: "There is no such simulated card."
        case .simFileExists: "The file for a new simulated card exists."
        case .simFileNotFound: "The simulated card's file is not there."
        case .simInUse: "Another process uses this simulated card."
        case .simFileDamaged: "The file is no simulated card, or a damaged one."
        case .simFileFailed: "The simulated card's file cannot be read or written."
        case .simBadAddress:
            "A simulated card cannot be served there: on loopback addresses and short socket paths only."
        case .badLink: "The text is no tap link, or not one as cards write it."
        case .cannotWrite: "An output file cannot be written."
        case .wouldOverwrite: "The output file exists and would be lost."
        case .noService: "The PC/SC service does not run."
        case .noReader: "No reader is attached, or none has the asked name."
        case .readerBusy: "Another program holds the card."
        case .noPermission: "The system's policy refuses access to the reader."
        case .readerGone: "The reader was unplugged, or its service ended."
        case .transportFailed: "Reader, driver or cable failed."
        case .cardMute: "A card is there and does not answer."
        case .ambiguousCard: "Several cards would do; say which."
        case .noCard: "No card lies on the reader."
        case .cardRemoved: "The card was taken away."
        case .cardReset: "The card lost power or was reset by another program."
        case .anotherCard: "Another card lies on the reader than before."
        case .timedOut: "Nothing came within the given time."
        case .unluckyNumber: "The card hit an unlucky number too often."
        case .notATapCard: "The card is no TAPSIGNER, SATSCARD or SATSCHIP."
        case .notSupported: "This card, or this version of tapkit, cannot do that."
        case .statusWord: "The card answered with an unexpected status word."
        case .badResponse: "The card's answer makes no sense; it says nothing of whether the card is genuine."
        case .cardError: "The card refused the command."
        case .backupFirst: "The CVC can be changed only after a first backup."
        case .badArgument: "An argument that no card would take."
        case .weakRandomness: "The system's random source repeats itself."
        case .notSetUp: "The card has no key yet."
        case .alreadySetUp: "The card has a key already, and what was asked for needs a fresh one."
        case .slotUnused: "The slot has no key yet."
        case .slotSealed: "The slot was not opened."
        case .slotOpened: "The slot was opened: nobody should pay to it."
        case .noSuchSlot: "The card has no such slot."
        case .cardUsedUp: "Every slot of the SATSCARD was opened."
        case .wrongNetwork: "The card or the backup is for another network than the one asked for."
        case .badProof: "The card failed a proof: counterfeit, tampered with, or altered on the way."
        case .alteredSignature:
            "ALARM: not the signature that was asked for; somebody may have had the card sign something else."
        case .notGenuine: "No accepted factory certified this card."
        case .forgedLink: "The tap link's signature is not one by the key that the link names."
        case .tampered: "The card says that somebody tampered with it; no money should be trusted to it."
        case .badSignature: "The signature is not by this address over this message."
        case .signatureInconclusive: "Nobody can tell whether the signature is valid: its script has no rules yet."
        case .badAddress: "The text is no address."
        case .badBackup: "The file is no card's backup, or a damaged one."
        case .badBackupKey: "A backup key has 16 bytes, 32 hexadecimal digits."
        case .wrongBackupKey: "The backup does not open with this key."
        case .otherCardsBackup: "The backup is not this card's."
        case .keyNeeded: "A backup's key is needed and there is no way to ask for it."
        case .badCVC: "A CVC has 6 to 32 digits."
        case .wrongCVC: "The card says that the CVC is wrong."
        case .unprovenCVC: "The card was taken away twice before it told whether the CVC is right."
        case .cvcNeeded: "A CVC is needed and there is no way to ask for it."
        case .rateLimited: "After wrong CVCs the card insists on a delay."
        case .confirmationNeeded: "A question needs an answer and there is no terminal; --yes answers it."
        case .declined: "The question was answered with no."
        case .cancelled: "A CVC or key was asked for, and the person cancelled."
        case .interrupted: "Interrupted by the person."
        case .internalError: "A bug in tapkit; please report it."
        }
    }

    /// What to do, unless the failure knows better.
    var hint: String {
        switch self {
        case .usage: "See tapkit help."
        case .noCard, .cardRemoved, .cardReset: "Lay the card on the reader and run the command again, or use --wait."
        case .notSetUp: "Run tapkit setup."
        case .tampered:
            "Do not pay to this card. To save what is on it: tapkit unseal, tapkit slots --show-keys (SATSCARD), "
                + "tapkit sign (TAPSIGNER, SATSCHIP)."
        case .wrongNetwork: "Leave --network (and TAPKIT_NETWORK) out to go by the card itself."
        case .notGenuine: "Do not use this card. A card with a root of your own needs --root-key."
        case .confirmationNeeded: "Use --yes to answer all questions with yes."
        case .declined, .cancelled: ""
        case .cvcNeeded: "Use --cvc-file PATH, or - for standard input."
        case .noChainServer:
            "Name one with --chain or, once and for all, with tapkit config set chain: esplora:URL, electrum:HOST:PORT, "
                + "core:URL."
        case .chainUnreachable: "Try again, use another server or, where the verb has it, --offline."
        case .feeNeeded: "Use --fee-rate SAT_PER_VB."
        case .keyNeeded: "Use --key-file PATH, or - for standard input."
        case .internalError: "Please report it with the output of the same command and --trace."
        default: ""
        }
    }
}
