@testable import TapSimulator

/// Lies that a card tells from inside, with its own private keys, so that every signature is right for what it says.
///
/// What can be told by altering bytes is a `Lie`. Each of these names its line of the threats page ("The card lies").
///
/// Spec: threats, "The card lies".
public enum Dishonesty: String, Sendable, CaseIterable {
    // MARK: Identity

    /// `certs` has an empty chain.
    case noCertificates
    /// `certs` has a chain by keys of the counterfeiter's own.
    case ownCertificates
    /// `certs` has the genuine chain of another card; `status` and `check` are this card's.
    case certificatesOfAnotherCard
    /// `status` and `certs` are another card's, but `check` and the session key are made with this card's key, for the
    /// other's is not known.
    case identityOfAnotherCard
    /// `check` is signed by another key than the one in `status`.
    case checkByAnotherKey
    /// `certs` and `check` are passed on to a genuine card; `status` and the session key are this card's.
    case checkRelayed
    /// Every second time it gets power it is another card, genuine in everything.
    case identChangesBetweenTaps
    /// Every second `status`, SELECT included, names another card's key.
    case identChangesBetweenAnswers

    // MARK: Slots

    /// The sealed slot's key is another card's in `status`, `read`, `derive` and the tap link. `check` attests the real
    /// one, from 1.0.0 on; before, no proof tells them apart.
    case slotKeyOfAnotherCard
    /// `read` alone gives, and is signed by, another key than the sealed slot's.
    case readByAnotherKey
    /// The ends of the address in `status` alone are another key's.
    case addressOfAnotherKey
    /// `dump` without a CVC gives an opened slot's address with its own ends and a middle that does not belong to them;
    /// the checksum is right. Before 1.0.3 no key stands beside it, and only `dump` with a CVC tells.
    case addressWithForeignMiddle
    /// The slot that was opened last is said to be active and sealed, in `status`, `read`, `derive`, `dump` and the tap
    /// link. `check` attests the slot that is sealed really, or none; before 1.0.0 no proof tells.
    case openedSlotSaidSealed
    /// `dump` says sealed of every opened slot.
    case dumpHidesOpenedSlots
    /// `unseal` gives a key that is not the slot's, consistent in itself.
    case unsealsAnotherKey
    /// `dump` with a CVC gives keys that are not the slots', consistent in themselves.
    case dumpsAnotherKey

    // MARK: Keys

    /// `new` uses a chain code of its own, and proves that one.
    case ignoresChainCode
    /// `new` uses a chain code of its own; `derive`, `xpub` of the master key and `backup` claim the app's.
    case claimsSuppliedChainCode
    /// `xpub` of the path in force is another key's.
    case xpubOfAnotherKey
    /// `xpub` of the master key is another key's.
    case masterXpubOfAnotherKey
    /// `xpub` of the path in force has another chain code, so that its children are not the keys that sign.
    case xpubWithAnotherChainCode
    /// `derive` sets another path than the one asked for, which `status` and `xpub` claim. Only the backup tells.
    case derivesAnotherPath
    /// `backup` holds another master key.
    case backupOfAnotherKey
    /// `change` says success and changes nothing.
    case changesNothing

    // MARK: Signatures

    /// `sign` is by another key, which it names.
    case signsWithAnotherKey
    /// `sign` is by another key, but names the right one.
    case signsWithAnotherKeyInOurName
    /// `sign` is over another digest.
    case signsAnotherDigest
    /// `sign` of a signer is by the key of another sub-path, which it names.
    case signsAtAnotherSubpath
    /// Every signature has a high S. It verifies where that is not looked at.
    case signsWithHighS
    /// `sign` has a high R. The signature is valid, but no card makes it, and it is a byte longer than planned for.
    case signsWithHighR
    /// The tap link is signed by another key than the one that it names.
    case linkByAnotherKey

    // MARK: Nonces

    /// `card_nonce` is the same for ever.
    case keepsNonce

    /// The part of the line in the threats page, "The card lies", that this is an example of.
    public var threat: String {
        switch self {
        case .noCertificates, .ownCertificates: "counterfeit without certificates"
        case .certificatesOfAnotherCard, .identityOfAnotherCard: "real certificates replayed from another card"
        case .checkByAnotherKey, .checkRelayed:
            "certified key differs from the key that is used for the ident or the session"
        case .identChangesBetweenTaps, .identChangesBetweenAnswers:
            "a status that changes its ident between two taps"
        case .slotKeyOfAnotherCard, .readByAnotherKey, .unsealsAnotherKey, .dumpsAnotherKey:
            "another card's slot key"
        case .addressOfAnotherKey, .addressWithForeignMiddle: "address whose middle does not belong to its ends"
        case .openedSlotSaidSealed, .dumpHidesOpenedSlots: "slot said sealed that is not"
        case .ignoresChainCode, .claimsSuppliedChainCode: "own chain code instead of ours"
        case .xpubOfAnotherKey, .masterXpubOfAnotherKey, .xpubWithAnotherChainCode, .derivesAnotherPath,
            .backupOfAnotherKey:
            "xpub that does not derive to the signing keys"
        case .signsWithAnotherKey, .signsWithAnotherKeyInOurName, .signsAtAnotherSubpath, .linkByAnotherKey:
            "signature by another key"
        case .signsAnotherDigest: "over another digest"
        case .signsWithHighS, .signsWithHighR: "high S"
        case .keepsNonce, .changesNothing: "stale (old nonce)"
        }
    }

    /// Which products can tell it.
    public var products: Set<SimulatedProduct> {
        switch self {
        case .slotKeyOfAnotherCard, .readByAnotherKey, .addressOfAnotherKey, .addressWithForeignMiddle,
            .openedSlotSaidSealed, .dumpHidesOpenedSlots, .unsealsAnotherKey, .dumpsAnotherKey:
            [.satscard]
        case .xpubOfAnotherKey, .masterXpubOfAnotherKey, .xpubWithAnotherChainCode, .derivesAnotherPath,
            .changesNothing, .signsAtAnotherSubpath:
            [.tapsigner, .satschip]
        case .backupOfAnotherKey: [.tapsigner]
        default: Set(SimulatedProduct.allCases)
        }
    }
}
