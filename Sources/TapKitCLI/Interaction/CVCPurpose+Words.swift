import FrontEndText
import TapManager
import TextLayout

extension CVCPurpose {
    /// What the CVC is for, after “needed to”.
    var words: String {
        switch self {
        case .signTransaction(let review): review.purpose
        case .signMessage(let message, let key, let address): MessagePurpose(message, by: key, address: address).words
        case .signKeyRecord(let description): "sign the key record “\(TerminalText.neutralized(description))”"
        case .registerWallet(let name): "register the wallet “\(TerminalText.neutralized(name))”"
        case .readAccount: "show an xpub"
        case .setUp: "set the card up"
        case .backUp: "make a backup"
        case .compareBackup: "compare the card with the backup file"
        case .changeCVC: "change its CVC"
        case .derive(let path): "move the card to \(path)"
        case .setUpSlot: "give its next slot a key"
        case .openSlot: "permanently unseal a slot and show its key"
        case .showSlotKeys: "show the keys of unsealed slots"
        case .sweep(let review, let opensSlot):
            "\(opensSlot ? "permanently unseal a slot and " : "")sign a sweep of \(review.inputs.count.counted("coin")) "
                + "that \(review.payment)"
        case .proveKeys: "prove its keys"
        case .proveAddress: "prove an address"
        case .identify: "find out whether it is the right card"
        }
    }

    /// What is left undone if the user enters no CVC, as a sentence.
    var untouched: String {
        switch self {
        case .signTransaction, .signMessage, .signKeyRecord, .registerWallet, .sweep: QuestionText.nothingSigned
        case .showSlotKeys: QuestionText.nothingShown
        case .readAccount: "No key was read."
        case .backUp: "No backup was made."
        case .compareBackup: "The card and the backup were not compared."
        case .proveKeys, .proveAddress, .identify: "Nothing was proven."
        case .setUp, .changeCVC, .derive, .setUpSlot, .openSlot: QuestionText.nothingChanged
        }
    }
}
