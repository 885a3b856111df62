/// A way in which a genuine card may deviate from the protocol's text. None of them affects a proof.
///
/// Some were observed in the maker's own emulator; the others are deviations that a later applet may well have. The raw
/// value is the name in `sim new --habit` and in the card's file.
///
/// Spec: protocol, first paragraph, and "What must be verified, always".
public enum CardHabit: String, Codable, Sendable, CaseIterable {
    /// Certificates begin with 27–30.
    case header27 = "header-27"
    /// Certificates begin with 31–34, as in the maker's emulator.
    case header31 = "header-31"
    /// Certificates begin with 35–38.
    case header35 = "header-35"
    /// One certificate: the root itself signed the card's key.
    case oneCertificate = "one-certificate"
    /// Three certificates.
    case threeCertificates = "three-certificates"
    /// Signatures have a high R, as they may in the maker's emulator.
    case highR = "high-r"
    /// Signatures have a high S.
    case highS = "high-s"
    /// `check` signs 33 zero bytes if no slot is sealed, as the maker's emulator does.
    case zerosInCheck = "zeros-in-check"
    /// A signer's `derive` is signed by the derived key, as in the maker's emulator.
    case derivedKeySigns = "derived-key-signs"
    /// `master_pk` is hidden in `unseal` and plain in `dump`, the reverse of the usual.
    case otherMasterKeys = "other-master-pk"
    /// Every length and number takes two or more bytes.
    case longHeads = "long-heads"
    /// The fields of every response are in a different order.
    case otherOrder = "other-order"
    /// Every response has unknown fields.
    case extraFields = "extra-fields"
    /// What is promised but not needed is missing: the protocol number, the birth height, the backup count, the slot, the
    /// success field, the reason for a refusal, and keys and addresses that follow from others.
    case missingFields = "missing-fields"
    /// Only `status` returns the next nonce.
    case missingNonces = "missing-nonces"
    /// The birth height is a block that does not exist yet.
    case oddBirth = "odd-birth"
    /// `proto` is 2.
    case otherProtocol = "other-proto"
    /// Extended keys have a different version, depth, parent and child number.
    case oddXpub = "odd-xpub"
    /// The version has letters before and after its numbers.
    case versionSuffix = "version-suffix"
    /// The version has no numbers.
    case unreadableVersion = "unreadable-version"
    /// More or fewer characters of the slot's address are shown.
    case addressEnds = "address-ends"
    /// A SATSCHIP sends `satschip` without `tapsigner`.
    case chipAlone = "chip-alone"

    /// Groups of habits that exclude each other.
    private static let rivals: [Set<CardHabit>] = [
        [.header27, .header31, .header35], [.oneCertificate, .threeCertificates], [.versionSuffix, .unreadableVersion],
    ]

    /// Whether one card can have all of these.
    public static func canBeTogether(_ habits: Set<CardHabit>) -> Bool {
        rivals.allSatisfy { $0.intersection(habits).count <= 1 }
    }
}

extension Set<CardHabit> {
    /// The range of the certificates' first bytes, if it is not the usual one.
    var certificateHeader: CertificateHeader? {
        if contains(.header27) { return .uncompressed }
        if contains(.header31) { return .compressed }
        return contains(.header35) ? .nestedSegwit : nil
    }

    /// How many certificates lead to the root.
    var certificateCount: Int { contains(.oneCertificate) ? 1 : contains(.threeCertificates) ? 3 : 2 }
}
