import CardReaders

/// The USB readers that a PC/SC driver supports, according to its `Info.plist`.
struct CardDriverList: Sendable {
    /// A reader in the list.
    struct Entry: Sendable {
        let identifier: USBID
        /// The service's name for such a reader, without the numbers that it appends.
        let name: String
    }

    let entries: [Entry]
    /// The driver's options, a bit field; 0x0004: use readers with faulty firmware anyway.
    let options: UInt32

    /// Whether readers with faulty firmware are used anyway.
    var toleratesFaultyFirmware: Bool { options & 0x04 != 0 }

    /// Parses a driver's property list: parallel arrays of strings.
    init(propertyList text: String) {
        let vendors = Self.strings(of: "ifdVendorID", in: text)
        let products = Self.strings(of: "ifdProductID", in: text)
        let names = Self.strings(of: "ifdFriendlyName", in: text)
        entries = zip(zip(vendors, products), names).compactMap { numbers, name in
            guard let vendor = Self.number(numbers.0), let product = Self.number(numbers.1) else { return nil }
            return Entry(
                identifier: USBID(UInt16(truncatingIfNeeded: vendor), UInt16(truncatingIfNeeded: product)), name: name)
        }
        options = Self.strings(of: "ifdDriverOptions", in: text).first.flatMap(Self.number) ?? 0
    }

    /// The strings under a key: those of its array, or the single string.
    private static func strings(of key: String, in text: String) -> [String] {
        // Bytes: a list has hundreds of readers, and characters are compared slowly.
        let parts = text.utf8.split(separator: "<key>\(key)</key>".utf8, maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return [] }
        let value = parts[1].split(separator: "<key>".utf8, maxSplits: 1, omittingEmptySubsequences: false)[0]
        return value.split(separator: "<string>".utf8).dropFirst().compactMap { piece in
            piece.split(separator: "</string>".utf8, maxSplits: 1, omittingEmptySubsequences: false).first
                .map { String(Substring($0)) }
        }
    }

    private static func number(_ text: String) -> UInt32? {
        let text = TextTrim.spaces(text).lowercased()
        return text.hasPrefix("0x") ? UInt32(text.dropFirst(2), radix: 16) : UInt32(text)
    }
}

extension Machine {
    private static let bundles = "/usr/lib/pcsc/drivers"

    /// The lists of all installed drivers. libccid's is a link to `/etc/libccid_Info.plist`, which stays behind when the
    /// package is removed.
    var cardDrivers: [CardDriverList] {
        names(Self.bundles).compactMap { text("\(Self.bundles)/\($0)/Contents/Info.plist") }.map(CardDriverList.init)
    }
}
