import ExplainedErrors

extension ErrorCode {
    /// The process's exit status.
    var exitStatus: ExitStatus {
        switch self {
        case .usage, .confirmationNeeded, .simBadOptions, .simBadAddress: .usage
        case .badEnvironment, .badConfiguration, .storeUnsafe, .storeNewer: .configuration
        case .noInputFile, .simFileNotFound: .noInput
        case .inputUnreadable, .inputTooLarge, .badPSBT, .refused, .notAccepted, .nothingToSign, .notComplete, .badPath,
            .badChainCode, .badLink, .simFileDamaged, .notSetUp, .alreadySetUp, .slotUnused, .slotSealed, .slotOpened,
            .noSuchSlot, .cardUsedUp, .wrongNetwork, .badAddress, .signatureInconclusive, .backupFirst, .ambiguousCard,
            .notSupported, .badBackup, .badBackupKey, .wrongBackupKey, .otherCardsBackup,
            .badArgument, .storeDamaged, .contradiction, .noSuchTransaction, .alreadyConfirmed, .alreadyReplaced,
            .noSuchWallet, .walletExists,
            .badWalletName, .badDescriptor, .notExportable, .badLabels, .badAmount, .badFeeRate, .badPaymentURI,
            .insufficientFunds,
            .dust, .nothingToSweep, .feeTooHigh, .noSuchCoin, .coinsTaken, .cannotBuild, .cannotBump, .feeNeeded,
            .otherWallet, .badRegistration, .outOfReach, .badKit, .chainWrongNetwork, .transactionRejected:
            .badInput
        case .cannotWrite, .wouldOverwrite, .simFileExists, .simFileFailed, .diskFull: .cannotCreate
        case .noService, .noReader, .readerGone, .readerBusy, .noPermission, .simInUse, .noChainServer,
            .chainUnreachable, .chainTLS, .chainProxy, .chainUnauthorized, .chainServerError, .chainMalformed,
            .chainTooLarge, .chainUnsupported, .chainFailed:
            .unavailable
        case .transportFailed, .cardMute, .statusWord, .badResponse, .cardError, .notATapCard,
            .storeFailed:
            .inputOutput
        case .noCard, .cardRemoved, .cardReset, .anotherCard, .timedOut, .unluckyNumber, .cvcInDoubt, .storeBusy,
            .chainRateLimited, .chainNotReady:
            .tryAgain
        case .badProof, .alteredSignature, .alteredWallet, .alteredKit, .tampered, .badSignature, .notGenuine,
            .forgedLink, .chainLied, .chainCertificateChanged:
            .proofFailed
        case .badCVC, .wrongCVC, .unprovenCVC, .cvcNeeded, .keyNeeded, .rateLimited: .noPermission
        case .declined, .cancelled, .interrupted: .interrupted
        case .internalError, .weakRandomness: .software
        }
    }
}
