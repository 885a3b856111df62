import Bitcoin
import TapProtocol

/// What is to be done with a card next, as far as it is known without its CVC.
package enum CardStep: Sendable, Equatable {
    /// Nothing: no accepted factory made it.
    case doNotUse
    /// Somebody tampered with it: what is in it is to be saved, and nothing more paid to it.
    case saveMoney
    /// The security delay that wrong CVCs left behind is to be waited off.
    case waitOffDelay
    /// A SATSCARD is at this state of its active slot.
    case slot(ActiveSlotState)
    /// It is to be set up.
    case setUp
    /// It was never backed up.
    case backUp
    /// It is ready.
    case use

    /// - Parameter slot: a SATSCARD's active slot.
    package init(_ status: CardStatus, _ verdict: CertificateVerdict, _ slot: ActiveSlotState?) {
        if !verdict.isAccepted {
            self = .doNotUse
        } else if status.isTampered {
            self = .saveMoney
        } else if status.authDelaySeconds > 0 {
            self = .waitOffDelay
        } else if let slot {
            self = .slot(slot)
        } else if !status.isSetUp {
            self = .setUp
        } else {
            self = status.backupCount == 0 ? .backUp : .use
        }
    }
}
