import Bitcoin
import TapProtocol

/// Which of the card's keys signs.
public enum MessageSigner: Sendable {
    /// TAPSIGNER, SATSCHIP: the key so many unhardened steps (0–2) below the card's path, as an address of this kind;
    /// `nil`: the kind that the path's purpose stands for, else P2WPKH.
    case path(DerivationPath, ScriptKind?)
    /// SATSCARD: an opened slot; `nil`: the one that was opened last.
    case slot(SlotNumber?)
}
