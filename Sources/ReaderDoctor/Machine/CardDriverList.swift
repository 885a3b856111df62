/// The USB readers that a PC/SC driver says it can drive, in the driver's `Info.plist`.
struct CardDriverList: Sendable {
    /// A reader of the list.
    struct Entry: Sendable {
        let identifier: USBID
        /// What the service calls such a reader, before the numbers that it adds.
        let name: String
    }

    let entries: [Entry]
    /// The driver's options, a bit field; 0x0004: use readers with faulty firmware all the same.
    let options: UInt32

    /// Whether readers with faulty firmware are used all the same.
    var toleratesFaultyFirmware: Bool { options & 0x04 != 0 }

    /// Reads a property list as drivers have it: arrays of strings that belong together.
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

    /// The strings behind a key: of its array, or the one string.
    private static func strings(of key: String, in text: String) -> [String] {
        let parts = text.split(separator: "<key>\(key)</key>", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return [] }
        let value = parts[1].split(separator: "<key>", maxSplits: 1, omittingEmptySubsequences: false)[0]
        return value.split(separator: "<string>").dropFirst().compactMap { piece in
            piece.split(separator: "</string>", maxSplits: 1, omittingEmptySubsequences: false).first.map(String.init)
        }
    }

    private static func number(_ text: String) -> UInt32? {
        let text = TextTrim.spaces(text).lowercased()
        return text.hasPrefix("0x") ? UInt32(text.dropFirst(2), radix: 16) : UInt32(text)
    }
}

extension Machine {
    private static let bundles = "/usr/lib/pcsc/drivers"

    /// The list of each driver that is installed; libccid's is one of them.
    var cardDrivers: [CardDriverList] {
        var lists = names(Self.bundles).compactMap { text("\(Self.bundles)/\($0)/Contents/Info.plist") }
        if let text = text("/etc/libccid_Info.plist"), !lists.contains(text) { lists.append(text) }
        return lists.map(CardDriverList.init)
    }
}
