import ExplainedErrors
import TapProtocol

extension FlowError: ExplainedError {
    /// What went wrong, as all layers name it.
    public var code: ErrorCode {
        switch self {
        case .card(let error): error.code
        case .notGenuine: .notGenuine
        case .notSetUp: .notSetUp
        case .alreadySetUp, .otherChainCode, .wouldChangeReadyCard: .alreadySetUp
        case .wrongProduct: .notSupported
        case .badPath, .unknownPath: .badPath
        case .refused(let findings): SigningRefusal(findings: findings).code
        case .nothingToSign: .nothingToSign
        case .backupNotSaved(let file, let number): WritingError(path: file.path, errorNumber: number).code
        case .otherCardsBackup: .otherCardsBackup
        // What was interrupted stays that; so does a store that fails.
        case .cvcInDoubt(.interrupted): .interrupted
        case .cvcInDoubt(.store(let error)): error.code
        case .cvcInDoubt: .cvcInDoubt
        case .neitherCVC: .wrongCVC
        case .unchangedCVC: .badCVC
        case .triesSpent: .unprovenCVC
        case .keyNotOurs: .badProof
        case .slotUnused: .slotUnused
        case .slotSealed: .slotSealed
        case .noSuchSlot: .noSuchSlot
        case .usedUp: .cardUsedUp
        case .unsupportedMessageFormat: .badArgument
        case .tampered: .tampered
        case .alteredWallet(let name, let card): RegistrationError.altered(wallet: name, card).code
        case .otherWalletsCoin: .alteredWallet
        case .noRegistration, .registrationUnconfirmed: .badRegistration
        case .store(let error): error.code
        case .interrupted: .interrupted
        case .unexpected: .internalError
        }
    }

    /// What happened.
    public var message: String {
        switch self {
        case .card(let error): error.message
        case .notGenuine(.development): "This is the maker's development card, not a genuine card."
        case .notGenuine(let verdict): "No accepted factory has certified this card (\(verdict.rootDescription))."
        case .notSetUp: "The card has no key yet."
        case .alreadySetUp: "The card already has a key."
        case .otherChainCode: "The card's key does not have the given chain code."
        case .wouldChangeReadyCard(let path, let changesCVC):
            "The card is set up already. This would "
                + [path.map { "move it to \($0)" }, changesCVC ? "change its CVC" : nil].compactMap(\.self)
                .joined(separator: " and ") + "."
        case .wrongProduct(let product, let task): "A \(product.displayName) cannot \(task.words)."
        case .badPath(let path): "A card cannot be moved to \(path)."
        case .unknownPath(let path):
            "According to the store, an interrupted run was to move the card to \(path), but the card has not proven an "
                + "account there, and wallets do not look there. It was not moved."
        case .refused(let findings): SigningRefusal(findings: findings).message
        case .nothingToSign(let card, let named, _):
            "The card with fingerprint \(card) cannot sign any input. The PSBT names: "
                + (named.isEmpty ? "none." : "\(FindingText.list(named)).")
        case .backupNotSaved(let file, let number):
            "The backup could not be saved; the card is fine, and its CVC is unchanged. "
                + WritingError(path: file.path, errorNumber: number).message
        case .otherCardsBackup(let backup, let card):
            "This is another card's backup: its master key has the fingerprint \(backup), "
                + (card.map { "this card's has \($0)." } ?? "and is not this card's.")
        case .cvcInDoubt(let cause):
            "\(cause.message) It is not known whether the card has the old CVC or the new one."
        case .neitherCVC:
            "An earlier run was interrupted while changing the card's CVC, and neither of the two given now is right."
        case .unchangedCVC: "The new CVC is the same as the current one."
        case .triesSpent:
            "The card was lost while it was being asked which CVC it has. A third try is not made automatically."
        case .keyNotOurs:
            "The card's key does not have the chain code that, according to the store, an interrupted run gave the "
                + "card. Either the card was set up elsewhere since, or the store was altered, or the card chose its "
                + "own chain code, and cannot be trusted."
        case .slotUnused(let slot): "Slot \(slot) has no key yet."
        case .slotSealed(let slot): "Slot \(slot) is not unsealed."
        case .noSuchSlot(let slot, let count): "The card has no slot \(slot): its slots are 1 to \(count)."
        case .usedUp: "Every slot of the card is unsealed. None is left to pay to."
        case .unsupportedMessageFormat(let format): "\(format) is for P2WPKH addresses only."
        case .tampered: "The card reports that it was tampered with."
        case .alteredWallet(let name, let card): RegistrationError.altered(wallet: name, card).message
        case .otherWalletsCoin(let wallets, let signer):
            "The transaction spends a coin that does not belong to \(wallets.count == 1 ? "the wallet" : "any of the wallets") "
                + "\(wallets.map { "“\($0)”" }.joined(separator: ", ")) as the signer with the "
                + "fingerprint \(signer) registered \(wallets.count == 1 ? "it" : "them")."
        case .noRegistration(let signer):
            "The signer with the fingerprint \(signer) made none of the given registrations."
        case .registrationUnconfirmed:
            "Nobody can confirm that the coins are the registered wallet's: the transaction is finalized, or a sweep."
        case .store(let error): error.message
        case .interrupted: "Interrupted."
        case .unexpected(let type): "Unexpected error of type \(type)."
        }
    }

    /// The other reasons for a refusal, or the findings in a PSBT that is not the card's.
    public var details: [String] {
        switch self {
        case .refused(let findings): SigningRefusal(findings: findings).details
        case .nothingToSign(_, _, let findings): FindingText.lines(findings)
        default: []
        }
    }

    /// What to do about it; empty when there is nothing to add.
    public var remedy: String {
        switch self {
        case .card(let error): error.remedy
        case .otherChainCode:
            "The key was made earlier with another chain code. To keep the key, do not give a chain code."
        case .wouldChangeReadyCard: "Agree to that, or change only the path or the CVC."
        case .wrongProduct(let product, _): product.purpose
        case .badPath: "A path has up to 8 hardened steps, for example m/84h/0h/0h, or m/84h/1h/0h on test networks."
        case .unknownPath:
            "If you chose this path, move the card there, or set it up there; otherwise use the path of your account "
                + "instead. Either finishes the interrupted run."
        case .refused(let findings): SigningRefusal(findings: findings).remedy
        case .nothingToSign:
            "Use the card whose fingerprint the PSBT names, or its backup, or add this card's derivations to the PSBT."
        case .backupNotSaved(let file, let number): WritingError(path: file.path, errorNumber: number).remedy
        case .otherCardsBackup: "Put the card that made the backup on the reader."
        case .cvcInDoubt(let cause):
            [
                cause.remedy,
                "Keep both CVCs, and change the CVC again with the same two: that shows which one the card has.",
            ].filter { !$0.isEmpty }.joined(separator: " ")
        case .neitherCVC(let tries):
            "\(TapError.wrongCVC(tries).remedy) The card has either the CVC from before that run, or the new one that "
                + "was chosen then."
        case .unchangedCVC: "Choose another one. Nothing was sent to the card."
        case .triesSpent: "Make sure that both CVCs are right, leave the card on the reader, and try again."
        case .keyNotOurs:
            "Do not use the card unless you know which chain code its key was made with, because you set it up "
                + "elsewhere. If so, set it up again with that chain code: it is then checked."
        case .usedUp: "Do not pay to this card any more."
        case .unsupportedMessageFormat: "Use the format of BIP-137, or a P2WPKH address."
        case .tampered: "Do not pay to this card."
        case .alteredWallet(let name, let card): RegistrationError.altered(wallet: name, card).remedy
        case .otherWalletsCoin:
            "If you received the coin at an address that you took for this wallet's, the stored wallet had been altered: "
                + "compare its descriptors with your own copy. For a coin of another wallet, do not give this "
                + "registration."
        case .noRegistration: "Give the registration that this signer made, or use the signer that made it."
        case .registrationUnconfirmed: "To go on without this check, leave the registration out."
        case .store(let error): error.remedy
        case .notGenuine, .notSetUp, .alreadySetUp, .slotUnused, .slotSealed, .noSuchSlot, .interrupted, .unexpected: ""
        }
    }

    /// The slot, the path, the product, the choice, or the subject from the layer below.
    public var subject: ErrorSubject? {
        switch self {
        case .card(let error): error.subject
        case .otherChainCode, .keyNotOurs: .choice(.chainCode)
        case .wrongProduct(let product, _): .product(product)
        case .badPath(let path), .unknownPath(let path): .path(path)
        case .refused(let findings): SigningRefusal(findings: findings).subject
        case .backupNotSaved(let file, _): .file(file.path)
        case .cvcInDoubt(let cause): cause.subject
        case .neitherCVC(let tries): TapError.wrongCVC(tries).subject
        case .slotUnused(let slot), .slotSealed(let slot), .noSuchSlot(let slot, _): .slot(slot.forPeople)
        case .unsupportedMessageFormat: .choice(.messageFormat)
        case .store(let error): error.subject
        case .notGenuine, .notSetUp, .alreadySetUp, .wouldChangeReadyCard, .nothingToSign, .otherCardsBackup,
            .unchangedCVC,
            .triesSpent,
            .usedUp, .tampered, .alteredWallet, .otherWalletsCoin, .noRegistration, .registrationUnconfirmed,
            .interrupted,
            .unexpected:
            nil
        }
    }
}
