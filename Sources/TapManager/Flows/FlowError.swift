import Bitcoin
import SmartCard
import TapProtocol

/// What ends a flow, in addition to the card's own errors.
public enum FlowError: Error, Sendable, Equatable {
    /// The card or the line to it failed.
    case card(TapError)
    /// No accepted factory certified the card.
    case notGenuine(CertificateVerdict)
    /// The card has no key yet.
    case notSetUp
    /// The card has a key already, and only a new card may be set up.
    case alreadySetUp
    /// The card has a key, but not with the given chain code.
    case otherChainCode
    /// The card is ready already, and setting it up would move it to this path, or change its CVC.
    case wouldChangeReadyCard(to: DerivationPath?, changesCVC: Bool)
    /// This product cannot do the task; another one can.
    case wrongProduct(CardProduct, task: CardTask)
    /// The path has an unhardened step, or more than 8 steps.
    case badPath(DerivationPath)
    /// The journal says that an interrupted run was to move the card to this path, at which the card has not proven an
    /// account, and where wallets do not look: only the user can know whether that is so.
    case unknownPath(DerivationPath)
    /// The PSBT must not be signed, and why.
    case refused([Finding])
    /// The card cannot sign any input of the PSBT; the fingerprints that the PSBT names, and the findings.
    case nothingToSign(card: Fingerprint, named: [Fingerprint], findings: [Finding])
    /// The backup could not be saved in this file, and the system's error number (`errno`); the card is fine, and the
    /// backup can be made again.
    case backupNotSaved(BackupFile, errorNumber: Int32)
    /// The backup is not this card's; the master keys' fingerprints, the card's if it is known.
    case otherCardsBackup(backup: Fingerprint, card: Fingerprint?)
    /// This happened while the CVC was being changed, so the card may have either one. Changing it again with the same
    /// two finds out.
    indirect case cvcInDoubt(FlowError)
    /// An earlier run was interrupted while changing the CVC, and neither of the two given now is the card's.
    case neitherCVC(RemainingTries)
    /// The new CVC is the same as the given current one.
    case unchangedCVC
    /// The card was lost while it was being asked which CVC it has. One of the two is known to be wrong; the other
    /// is not tried now, as it might be the third wrong one in a row.
    case triesSpent
    /// According to the journal, the key was picked in an earlier, interrupted run, and it does not have the chain code
    /// that was used then: another program set up the card since, the store was altered, or the card chose its own
    /// chain code. Until the user gives the key's chain code, each run throws it; for a slot of a SATSCARD, only the
    /// first one does.
    case keyNotOurs
    /// SATSCARD: the slot has no key yet.
    case slotUnused(SlotNumber)
    /// SATSCARD: the slot is not unsealed.
    case slotSealed(SlotNumber)
    /// SATSCARD: the card has no such slot.
    case noSuchSlot(SlotNumber, count: Int)
    /// SATSCARD: every slot is unsealed.
    case usedUp
    /// The message cannot be signed in this format with this kind of address.
    case unsupportedMessageFormat(MessageSignatureFormat)
    /// The card reports that it was tampered with, and the task would trust it with money.
    case tampered
    /// The wallet with this name is not what the card registered.
    case alteredWallet(String, by: Fingerprint?)
    /// The signer would sign for a coin that is of none of the wallets that it registered, according to the given
    /// registrations; their names.
    case otherWalletsCoin(registered: [String], by: Fingerprint)
    /// The signer made none of the given registrations.
    case noRegistration(by: Fingerprint)
    /// A registration was given, and nothing tells whether the coins are the wallet's: the transaction is finalized, or a sweep.
    case registrationUnconfirmed
    /// The local store failed; nothing is done to the card without it.
    case store(StoreError)
    /// The user interrupted.
    case interrupted
    /// An error of a type that no step on a card throws; a bug. Names only the type.
    case unexpected(String)
}
