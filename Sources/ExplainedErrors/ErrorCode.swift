/// What went wrong, as a word that programs can rely on. It is the same in every layer, in `--json` and wherever else it
/// appears. A code never changes its meaning.
///
/// The raw value is lower snake case; `tapkit help errors` lists all of them.
public enum ErrorCode: String, CaseIterable, Sendable {
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
    // Wallets, and building transactions.
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
    // The card and the hand that holds it.
    case noCard = "no_card"
    case cardRemoved = "card_removed"
    case cardReset = "card_reset"
    case anotherCard = "another_card"
    case timedOut = "timed_out"
    case unluckyNumber = "unlucky_number"
    // What the card reports.
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
    // The user.
    case confirmationNeeded = "confirmation_needed"
    case declined
    case cancelled
    case interrupted
    // tapkit itself.
    case internalError = "internal_error"
}
