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
        "a change of the CVC: how the two differ, digit by digit, as far as the present one is long; and with one of them "
            + "the other;",
        "the opening of a SATSCARD's slot: the CVC, once its key is known; and from a card that sends the slot's master key "
            + "unhidden, that key at once;",
        "a look at an opened slot's key (--show-keys, or unseal once more): the CVC, or nearly all of it.",
    ]

    /// What an active one can do.
    static let forgery =
        "Whoever controls the reader, and knows one thing that is signed over it, a transaction or a message, has the CVC at that "
        + "moment. As long as the card lies there he can do everything that you can, and no alarm need tell: sign, change the CVC, "
        + "open slots. When tapkit sees a signature that is not what it asked for, it raises an alarm (altered_signature, exit "
        + "status 76) and signs nothing more; that catches the clumsy thief alone. The hardened path of an account is the card's "
        + "word until tapkit backup verify has compared it with the opened backup."

    /// What helps.
    static let remedies =
        "What helps: readers and machines that you trust; multisig with cards on two readers; a new CVC, on a reader that you "
        + "trust, after use on one that you do not. Give a CVC 16 digits at most: with a longer one, whoever knows it can make the "
        + "card's proofs in its place."
}
