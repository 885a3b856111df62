import Bitcoin
import TapProtocol

/// What to do with a card next, as far as that is known without its CVC.
package enum CardStep: Sendable, Equatable {
    /// Nothing: no accepted factory made it.
    case doNotUse
    /// It was tampered with: save its money, and do not pay to it any more.
    case saveMoney
    /// Wait out the lockout after wrong CVCs.
    case waitOffDelay
    /// A SATSCARD: the state of its active slot.
    case slot(ActiveSlotState)
    /// Set it up.
    case setUp
    /// Back it up for the first time.
    case backUp
    /// Use it in a multisig wallet: it is ready, at a cosigner's path.
    case cosign
    /// Use it: it is ready.
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
            let isCosigner = status.path.map(MultisigAccount.isForCosigners) ?? false
            self = status.backupCount == 0 ? .backUp : isCosigner ? .cosign : .use
        }
    }
}
