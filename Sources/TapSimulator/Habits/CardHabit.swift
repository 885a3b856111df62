/// A way in which a genuine card may differ from what its protocol's text promises. Each leaves every proof as it is.
///
/// Some were seen at the maker's own emulator; the others are forms that a later applet may well have. The raw value is
/// the name in `sim new --habit` and in the card's file.
///
/// Spec: protocol, first paragraph, and "What must be verified, always".
public enum CardHabit: String, Codable, Sendable, CaseIterable {
    /// Certificates begin with 27–30.
    case header27 = "header-27"
    /// Certificates begin with 31–34, as those of the maker's emulator.
    case header31 = "header-31"
    /// Certificates begin with 35–38.
    case header35 = "header-35"
    /// One certificate: the root signed the card's key itself.
    case oneCertificate = "one-certificate"
    /// Three certificates.
    case threeCertificates = "three-certificates"
    /// Signatures have a high R, as those of the maker's emulator may.
    case highR = "high-r"
    /// Signatures have a high S.
    case highS = "high-s"
    /// `check` signs 33 zero bytes where no slot is sealed, as the maker's emulator does.
    case zerosInCheck = "zeros-in-check"
    /// A signer's `derive` is signed by the derived key, as by the maker's emulator.
    case derivedKeySigns = "derived-key-signs"
    /// `master_pk` is hidden in `unseal` and plain in `dump`: the other way round.
    case otherMasterKeys = "other-master-pk"
    /// Every length and number takes two bytes or more.
    case longHeads = "long-heads"
    /// The fields of every answer stand in another order.
    case otherOrder = "other-order"
    /// Every answer has fields that nobody knows.
    case extraFields = "extra-fields"
    /// What is promised and needed for nothing is missing: the protocol's number, the day of birth, the count of backups,
    /// the slot, the word of success, the reason for a refusal, keys and addresses that follow from others.
    case missingFields = "missing-fields"
    /// Only `status` tells the next nonce.
    case missingNonces = "missing-nonces"
    /// The day of birth is a block that does not exist yet.
    case oddBirth = "odd-birth"
    /// `proto` is 2.
    case otherProtocol = "other-proto"
    /// Extended keys have another version, depth, parent and child number.
    case oddXpub = "odd-xpub"
    /// The version has letters before and after its numbers.
    case versionSuffix = "version-suffix"
    /// The version has no numbers.
    case unreadableVersion = "unreadable-version"
    /// More or fewer characters of the slot's address show.
    case addressEnds = "address-ends"
    /// A SATSCHIP says `satschip` and not `tapsigner`.
    case chipAlone = "chip-alone"

    /// Habits of which a card has one at most.
    private static let rivals: [Set<CardHabit>] = [
        [.header27, .header31, .header35], [.oneCertificate, .threeCertificates], [.versionSuffix, .unreadableVersion],
    ]

    /// Whether one card can have all of these.
    public static func canBeTogether(_ habits: Set<CardHabit>) -> Bool {
        rivals.allSatisfy { $0.intersection(habits).count <= 1 }
    }
}

extension Set<CardHabit> {
    /// The numbering of the certificates' first bytes, if it is another than usual.
    var certificateHeader: CertificateHeader? {
        if contains(.header27) { return .uncompressed }
        if contains(.header31) { return .compressed }
        return contains(.header35) ? .nestedSegwit : nil
    }

    /// How many certificates lead to the root.
    var certificateCount: Int { contains(.oneCertificate) ? 1 : contains(.threeCertificates) ? 3 : 2 }
}
