/// What passes between card and computer, and what others can make of it: the manual's section on that.
///
/// Spec: protocol, "Who can forge what".
enum WhatLeaks {
    /// Before the list.
    static let introduction =
        "Nothing between card and computer is authenticated, and what is hidden is hidden under a key that hides the CVC too. "
        + "tapkit asks a card for nothing whose hidden answer others could come to know, where it has the choice. It has none "
        + "in these cases. Whoever can listen to the reader learns from"

    /// What a listener learns in spite of everything; README has the same.
    static let cases = [
        "a signature, once the transaction or the message is known: the CVC;",
        "a change of the CVC, to whoever knows one of the two: the other, as far as the present one is long;",
        "the opening of a SATSCARD's slot, to whoever comes to know its key: the CVC;",
        "a look at an opened slot's key (--show-keys, or unseal once more), to whoever knows it: the CVC.",
    ]

    /// What an active one can do.
    static let forgery =
        "Whoever controls the reader, and knows the transaction before it is signed, can have the card sign another one, for "
        + "each signature that is asked for. When tapkit sees a signature that is not what it asked for, it raises an alarm "
        + "(altered_signature, exit status 76) and signs nothing more; but that one signature is out, and a thief who hides "
        + "it behind a refusal of the card or a lost connection raises no alarm. The hardened path of an account is the card's word until "
        + "tapkit backup verify has compared it with the opened backup."

    /// What helps.
    static let remedies =
        "What helps: readers and machines that you trust; multisig with cards on two readers; a new CVC, on a reader that you "
        + "trust, after use on one that you do not, with more digits than the old one had."
}
