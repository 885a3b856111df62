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

    /// What is read of a list, by its keys.
    private enum Key: String, CaseIterable {
        case vendors = "ifdVendorID"
        case products = "ifdProductID"
        case names = "ifdFriendlyName"
        case options = "ifdDriverOptions"
    }

    /// Parses a driver's property list: parallel arrays of strings.
    init(propertyList text: String) {
        let strings = Self.strings(in: text)
        let (vendors, products) = (strings[.vendors, default: []], strings[.products, default: []])
        let names = strings[.names, default: []]
        entries = zip(zip(vendors, products), names).compactMap { numbers, name in
            guard let vendor = Self.number(numbers.0), let product = Self.number(numbers.1) else { return nil }
            return Entry(
                identifier: USBID(UInt16(truncatingIfNeeded: vendor), UInt16(truncatingIfNeeded: product)), name: name)
        }
        options = strings[.options]?.first.flatMap(Self.number) ?? 0
    }

    /// The strings under each key: those of its array, or the single string.
    private static func strings(in text: String) -> [Key: [String]] {
        var strings: [Key: [String]] = [:]
        var key: Key?
        // Bytes, and in one pass: a list has hundreds of readers, and searching for substrings is slow.
        for piece in text.utf8.split(separator: UInt8(ascii: "<")) {
            if let name = content(of: "key>", piece) {
                key = Key.allCases.first { $0.rawValue.utf8.elementsEqual(name.utf8) }
            } else if let key, let string = content(of: "string>", piece) {
                strings[key, default: []].append(string)
            }
        }
        return strings
    }

    /// What follows a tag, up to the next one; `nil` if it is another tag.
    private static func content(of tag: StaticString, _ piece: Substring.UTF8View) -> String? {
        tag.withUTF8Buffer { piece.starts(with: $0) ? String(Substring(piece.dropFirst($0.count))) : nil }
    }

    private static func number(_ text: String) -> UInt32? {
        let text = TextTrim.spaces(text).lowercased()
        return text.utf8.starts(with: "0x".utf8) ? UInt32(text.dropFirst(2), radix: 16) : UInt32(text)
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
