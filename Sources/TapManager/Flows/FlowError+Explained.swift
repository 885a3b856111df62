import ExplainedErrors
import TapProtocol

extension FlowError: ExplainedError {
    /// What went wrong, as all layers name it.
    public var code: ErrorCode {
        switch self {
        case .card(let error): error.code
        case .notGenuine: .notGenuine
        case .notSetUp: .notSetUp
        case .otherChainCode, .wouldChangeReadyCard: .alreadySetUp
        case .wrongProduct: .notSupported
        case .badPath: .badPath
        case .refused(let findings): SigningRefusal(findings: findings).code
        case .nothingToSign: .nothingToSign
        case .backupNotSaved(let file, let number): WritingError(path: file, errorNumber: number).code
        case .otherCardsBackup: .otherCardsBackup
        case .cvcInDoubt(let lost): lost.code
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
        case .store(let error): error.code
        case .interrupted: .interrupted
        case .unexpected: .internalError
        }
    }

    /// What happened.
    public var message: String {
        switch self {
        case .card(let error): error.message
        case .notGenuine(.development): "This is a development card of the maker, not a genuine one."
        case .notGenuine(let verdict): "No accepted factory certified this card (\(verdict.rootDescription))."
        case .notSetUp: "The card has no key yet."
        case .otherChainCode: "The card's key has another chain code than the one supplied."
        case .wouldChangeReadyCard(let path, let changesCVC):
            "The card is set up already. This would "
                + [path.map { "move it to \($0)" }, changesCVC ? "give it another CVC" : nil].compactMap(\.self)
                .joined(separator: " and ") + "."
        case .wrongProduct(let product, let task): "A \(product.displayName) cannot \(task)."
        case .badPath(let path): "A card cannot be moved to \(path)."
        case .refused(let findings): SigningRefusal(findings: findings).message
        case .nothingToSign(let card, let named, _):
            "No input can be signed by the card with fingerprint \(card); the PSBT names: "
                + (named.isEmpty ? "none." : "\(FindingText.list(named)).")
        case .backupNotSaved(let file, let number):
            "The backup could not be saved; the card is unharmed and its CVC unchanged. "
                + WritingError(path: file, errorNumber: number).message
        case .otherCardsBackup(let backup, let card):
            "This is the backup of another card: its master key's fingerprint is \(backup), this card's is \(card)."
        case .cvcInDoubt(let lost):
            "The card was lost while its CVC was being changed; either one may hold. \(lost.message)"
        case .neitherCVC:
            "An earlier run was interrupted while it changed the card's CVC, and neither of the two given now is right."
        case .unchangedCVC: "The new CVC is the same as the present one that was given."
        case .triesSpent:
            "The card was taken away while it was asked which CVC it has; a third try is not made by itself."
        case .keyNotOurs:
            "The card's key does not have the chain code that an earlier, interrupted run gave the card: either it was set up "
                + "elsewhere since, or it chose its own, and cannot be trusted."
        case .slotUnused(let slot): "Slot \(slot) has no key yet."
        case .slotSealed(let slot): "Slot \(slot) was not unsealed."
        case .noSuchSlot(let slot, let count): "The card has no slot \(slot): its slots are 1 to \(count)."
        case .usedUp: "Every slot of the card was unsealed; none is left to be paid to."
        case .unsupportedMessageFormat(let format): "\(format) is for P2WPKH addresses only."
        case .tampered: "The card says that somebody tampered with it."
        case .store(let error): error.message
        case .interrupted: "Interrupted."
        case .unexpected(let type): "An error of type \(type) that nobody expected."
        }
    }

    /// The other reasons of a refusal, or what was found in a PSBT that is not the card's.
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
        case .otherChainCode: "The key was made before with another chain code; set up without one to keep the key."
        case .wouldChangeReadyCard: "Agree to that, or change the path or the CVC by itself."
        case .wrongProduct(let product, _): product.purpose
        case .badPath: "A path has up to 8 hardened steps, for example m/84h/0h/0h, or m/84h/1h/0h on test networks."
        case .refused(let findings): SigningRefusal(findings: findings).remedy
        case .nothingToSign:
            "Take the card, or the backup of the card, whose fingerprint the PSBT names, or add the card's derivations to "
                + "the PSBT."
        case .backupNotSaved(let file, let number): WritingError(path: file, errorNumber: number).remedy
        case .otherCardsBackup: "Lay the card on the reader that it was made with."
        case .cvcInDoubt(let lost):
            lost.remedy.isEmpty
                ? "Lay the card on the reader and change its CVC again: that finds out which one holds." : lost.remedy
        case .neitherCVC(let tries):
            "\(TapError.wrongCVC(tries).remedy) The card has either the CVC from before that run, or the one that was chosen "
                + "then."
        case .unchangedCVC: "Choose another one. The card was not asked to do anything."
        case .triesSpent: "Make sure that both CVCs are right, leave the card on the reader, and try again."
        case .keyNotOurs: "If you set it up elsewhere, give the chain code that it was given there."
        case .usedUp: "Do not pay to this card any more."
        case .unsupportedMessageFormat: "Use the format of BIP-137, or a P2WPKH address."
        case .tampered: "Do not pay to this card."
        case .store(let error): error.remedy
        case .notGenuine, .notSetUp, .slotUnused, .slotSealed, .noSuchSlot, .interrupted, .unexpected: ""
        }
    }

    /// The slot, the path, the product, what was chosen, or what the layer below names.
    public var subject: ErrorSubject? {
        switch self {
        case .card(let error): error.subject
        case .otherChainCode, .keyNotOurs: .choice(.chainCode)
        case .wrongProduct(let product, _): .product(product.displayName)
        case .badPath(let path): .path("\(path)")
        case .refused(let findings): SigningRefusal(findings: findings).subject
        case .backupNotSaved(let file, _): .file(file)
        case .cvcInDoubt(let lost): lost.subject
        case .slotUnused(let slot), .slotSealed(let slot), .noSuchSlot(let slot, _): .slot(slot.forPeople)
        case .unsupportedMessageFormat: .choice(.messageFormat)
        case .store(let error): error.subject
        case .notGenuine, .notSetUp, .wouldChangeReadyCard, .nothingToSign, .otherCardsBackup, .neitherCVC,
            .unchangedCVC, .triesSpent,
            .usedUp,
            .tampered, .interrupted, .unexpected:
            nil
        }
    }
}
