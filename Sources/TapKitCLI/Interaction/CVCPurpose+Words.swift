import FrontEndText
import TapManager

extension CVCPurpose {
    /// Behind “needed to”.
    var words: String {
        switch self {
        case .signTransaction(let review): review.purpose
        case .signMessage: "sign a message"
        case .readAccount: "show an xpub"
        case .setUp: "set the card up"
        case .backUp: "make a backup"
        case .compareBackup: "compare the card with the backup"
        case .changeCVC: "change its CVC"
        case .derive(let path): "move the card to \(path)"
        case .setUpSlot: "give its next slot a key"
        case .openSlot: "unseal a slot for good and show its key"
        case .showSlotKeys: "show the keys of unsealed slots"
        case .sweep(let coins, let opensSlot):
            "\(opensSlot ? "unseal a slot for good and " : "")sign a sweep of \(coins.counted("coin"))"
        case .proveKeys: "prove its keys"
        case .proveAddress: "prove an address"
        case .identify: "find out whether it is the card that is meant"
        }
    }
}
