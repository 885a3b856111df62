import Bitcoin
import SmartCard
import TapProtocol

/// What ends a flow, above the card's own errors.
public enum FlowError: Error, Sendable, Equatable {
    /// The card or the line to it failed.
    case card(TapError)
    /// No accepted factory certified the card.
    case notGenuine(CertificateVerdict)
    /// The card has no key yet.
    case notSetUp
    /// The card has a key, and its chain code is not the one that was supplied.
    case otherChainCode
    /// The card is ready already, and setting it up would move it to this path, or give it another CVC.
    case wouldChangeReadyCard(to: DerivationPath?, changesCVC: Bool)
    /// This product cannot do it.
    case wrongProduct(CardProduct, task: String)
    /// The path has an unhardened step, or more than 8 steps.
    case badPath(DerivationPath)
    /// The PSBT must not be signed, and why.
    case refused([Finding])
    /// No input of the PSBT can be signed by this card; fingerprints that the PSBT names, and what was found.
    case nothingToSign(card: Fingerprint, named: [Fingerprint], findings: [Finding])
    /// The backup could not be saved; the card is unharmed, and the backup can be made again.
    case backupNotSaved(file: String, errorNumber: Int32)
    /// The backup is not this card's: the master keys' fingerprints.
    case otherCardsBackup(backup: Fingerprint, card: Fingerprint)
    /// The card was lost while its CVC was being changed: either CVC may hold. Changing it again finds out.
    case cvcInDoubt(ReaderError)
    /// An earlier run was interrupted while it changed the CVC, and neither of the two that were given is the card's.
    case neitherCVC(RemainingTries)
    /// The new CVC is the one that was given as the present one.
    case unchangedCVC
    /// The card was taken away while it was asked which CVC it has. One of the two is known not to be it; the other is not
    /// tried now, since it might be the third wrong one in a row.
    case triesSpent
    /// The key was picked in an earlier, interrupted run, and its chain code is not the one that the card was given then:
    /// it was set up by another program since, or the card chose its own.
    case keyNotOurs
    /// SATSCARD: the slot has no key yet.
    case slotUnused(SlotNumber)
    /// SATSCARD: the slot was not opened.
    case slotSealed(SlotNumber)
    /// SATSCARD: the card has no such slot.
    case noSuchSlot(SlotNumber, count: Int)
    /// SATSCARD: every slot was opened.
    case usedUp
    /// The message cannot be signed in this format with this kind of address.
    case unsupportedMessageFormat(MessageSignatureFormat)
    /// The card says that somebody tampered with it, and the task would trust it with money.
    case tampered
    /// The local store failed; what is to be done to the card is not begun without it.
    case store(StoreError)
    /// The person interrupted.
    case interrupted
    /// An error of a type that no step on a card throws; a bug. Names the type only.
    case unexpected(String)
}
