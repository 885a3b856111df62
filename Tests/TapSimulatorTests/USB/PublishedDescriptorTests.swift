import Testing

@testable import TapSimulator

/// What the readers of the class CCID say of themselves is what libccid's lists (`readers/`, release 1.8.2) say of the
/// real ones.
@Suite struct PublishedDescriptorTests {
    /// A list's facts of one interface: a slot.
    struct Slot: Sendable, Equatable {
        /// The class's version.
        let version: UInt64
        let voltages: UInt64
        let protocols: UInt64
        /// The default and the highest, in kHz.
        let clocks: [UInt64]
        /// The default and the highest, in bit/s.
        let rates: [UInt64]
        /// `dwMaxIFSD`
        let longestBlock: UInt64
        var mechanics: UInt64 = 0
        let features: UInt64
        let longestMessage: UInt64
        /// For fetching more, and for wrapping.
        var classes: [UInt64] = [0, 0]
        /// Slots beyond the first, display, keys for a PIN, and slots that can be busy at once.
        var rest: [UInt64] = [0, 0, 0, 1]
        var name: String?
    }

    /// A list's facts of a device.
    struct Reader: Sendable {
        let model: USBReaderModel
        let list: String
        /// `bcdDevice`
        let release: UInt16
        let names: [String]
        let slots: [Slot]
    }

    private static let acr122 = acs(longestBlock: 256, features: 0x0002_0040, longestMessage: 271)
    private static let acr1252 = acs(
        longestBlock: 254, features: 0x0004_0040, longestMessage: 522, name: "ACR1252 Dual Reader PICC")
    private static let acr1252Module = Slot(
        version: 0x0110, voltages: 1, protocols: 3, clocks: [3_420, 3_420], rates: [9_193, 213_750],
        longestBlock: 254, features: 0x0002_04BA, longestMessage: 288, name: "ACR1252 Dual Reader SAM")
    private static let acr1252Single = acs(
        longestBlock: 254, features: 0x0004_04BA, longestMessage: 522, name: "ACR1252 Reader PICC")
    private static let acr1251 = acs(
        longestBlock: 512, features: 0x0004_0040, longestMessage: 522, name: "ACR1251 Dual Reader PICC")
    /// The list has keys for a PIN (3); the simulated slot has none, as its model says.
    private static let acr1251Module = Slot(
        version: 0x0110, voltages: 7, protocols: 3, clocks: [4_800, 4_800], rates: [12_903, 344_100],
        longestBlock: 254, features: 0x0002_00BA, longestMessage: 288, name: "ACR1251 Dual Reader SAM")
    private static let acr1255 = Slot(
        version: 0x0110, voltages: 7, protocols: 2, clocks: [4_000, 4_000], rates: [10_752, 129_032],
        longestBlock: 512, features: 0x0004_0040, longestMessage: 522)
    private static let acr1552 = Slot(
        version: 0x0110, voltages: 7, protocols: 3, clocks: [5_000, 13_560], rates: [105_938, 847_500],
        longestBlock: 506, features: 0x0004_04BA, longestMessage: 516, classes: [0xFF, 0xFF],
        name: "ACR1552 CL Reader PICC")
    private static let touchatag = Slot(
        version: 0x0100, voltages: 7, protocols: 3, clocks: [4_000, 4_000], rates: [10_752, 250_000],
        longestBlock: 247, features: 0x0001_0030, longestMessage: 271)

    private static func acs(
        longestBlock: UInt64, features: UInt64, longestMessage: UInt64, name: String? = nil
    ) -> Slot {
        Slot(
            version: 0x0100, voltages: 7, protocols: 2, clocks: [4_000, 4_000], rates: [10_752, 250_000],
            longestBlock: longestBlock, features: features, longestMessage: longestMessage, name: name)
    }

    private static func omnikey(_ name: String?) -> Slot {
        Slot(
            version: 0x0110, voltages: 7, protocols: 3, clocks: [4_800, 4_800], rates: [12_903, 825_807],
            longestBlock: 254, features: 0x0004_04BA, longestMessage: 520, classes: [0xFF, 0xFF], name: name)
    }

    private static func uTrust(_ name: String) -> Slot {
        Slot(
            version: 0x0110, voltages: 1, protocols: 3, clocks: [4_800, 12_000], rates: [12_903, 412_903],
            longestBlock: 1_024, mechanics: 1, features: 0x0004_04BE, longestMessage: 1_034, classes: [0xFF, 0xFF],
            name: name)
    }

    private static let published = [
        Reader(
            model: .acr122u, list: "ACR122U_PICC", release: 0x0207, names: ["ACS", "ACR122U PICC Interface"],
            slots: [acr122]),
        // The list has had older and newer releases, all with this class descriptor.
        Reader(
            model: .acr122u205, list: "ACR122U_PICC", release: 0x0205, names: ["ACS", "ACR122U PICC Interface"],
            slots: [acr122]),
        Reader(
            model: .touchatag, list: "ACR122U", release: 0x0100, names: ["   ", "CCID USB Reader"],
            slots: [touchatag]),
        Reader(
            model: .acr1252u, list: "ACS_ACR1252_Dual_Reader", release: 0x0100, names: ["ACS", "ACR1252 Dual Reader"],
            slots: [acr1252, acr1252Module]),
        Reader(
            model: .acr1252single, list: "ACS_ACR1252_Reader", release: 0x0206, names: ["ACS", "ACR1252 Reader"],
            slots: [acr1252Single]),
        Reader(
            model: .acr1251u, list: "ACS_ACR1251_Dual_Reader", release: 0x0200, names: ["ACS", "ACR1251 Dual Reader"],
            slots: [acr1251, acr1251Module]),
        Reader(
            model: .acr1255u, list: "ACS_ACR1255U-J1", release: 0x0200, names: ["ACS", "ACR1255U-J1"],
            slots: [acr1255]),
        Reader(model: .acr1552u, list: "ACS_ACR1552", release: 0x0200, names: ["ACS", "ACR1552"], slots: [acr1552]),
        Reader(
            model: .omnikey5022, list: "HID_Global_OMNIKEY_5022_Smart_Card_Reader", release: 0x0101,
            names: ["HID Global", "OMNIKEY 5022 Smart Card Reader"],
            slots: [omnikey("OMNIKEY 5022 Smart Card Reader")]),
        Reader(
            model: .omnikey5427ck, list: "HID_OMNIKEY_5427_CK", release: 0x0100, names: ["HID OMNIKEY", "5427 CK"],
            slots: [omnikey(nil)]),
        Reader(
            model: .utrust3700f, list: "Identiv_uTrust_3700_F_CL_Reader", release: 0x0102,
            names: ["Identiv", "uTrust 3700 F CL Reader"], slots: [uTrust("uTrust 3700 F CL Reader")]),
        Reader(
            model: .utrust3701f, list: "Identiv_uTrust_3701_F_CL_Reader", release: 0x0102,
            names: ["Identiv", "uTrust 3701 F CL Reader"], slots: [uTrust("uTrust 3701 F CL Reader")]),
    ]

    /// No list has the ACR1222.
    @Test func everyReaderOfTheClassIsPublishedButOne() {
        let models = USBReaderModel.allCases.filter { $0.device is CCIDReader }
        #expect(Set(models).subtracting(Self.published.map(\.model)) == [.acr1222])
        #expect(Self.published.count == models.count - 1)
    }

    @Test(arguments: published)
    func itSaysWhatItsListSays(_ reader: Reader) throws {
        let device = reader.model.device.description
        #expect(device.version == reader.release, "\(reader.list)")
        #expect([device.names.maker, device.names.product] == reader.names, "\(reader.list)")
        #expect(try device.interfaces.map(Self.slot) == reader.slots, "\(reader.list)")
        #expect(device.interfaces.allSatisfy { $0.kind.class == 0x0B && $0.endpoints.count == 3 })
    }

    /// Reads a class descriptor. Spec: CCID 1.10, section 5.1.
    private static func slot(_ interface: USBInterface) throws -> Slot {
        let bytes = interface.details
        try #require(bytes.count == 54 && bytes.starts(with: [54, 0x21]))
        func number(_ place: Int, _ count: Int = 4) -> UInt64 { RedirectionHost.number(bytes[place..<(place + count)]) }
        // No list of clocks or rates comes with the descriptor, and no synchronous protocol is known.
        #expect(number(18, 1) == 0 && number(27, 1) == 0 && number(32) == 0)
        return Slot(
            version: number(2, 2), voltages: number(5, 1), protocols: number(6), clocks: [number(10), number(14)],
            rates: [number(19), number(23)], longestBlock: number(28), mechanics: number(36), features: number(40),
            longestMessage: number(44), classes: [number(48, 1), number(49, 1)],
            rest: [number(4, 1), number(50, 2), number(52, 1), number(53, 1)], name: interface.name)
    }

    /// Byte by byte, as the descriptor of one of them is sent.
    @Test func theBytesAreInTheirPlaces() throws {
        let reader = CCIDReader.omnikey5022
        let configuration = try #require(reader.description.descriptor(2, index: 0))
        #expect(
            Array(configuration[18..<72]) == [
                54, 0x21, 0x10, 0x01, 0, 7, 3, 0, 0, 0, 0xC0, 0x12, 0, 0, 0xC0, 0x12, 0, 0, 0, 0x67, 0x32, 0, 0, 0xCF,
                0x99, 0x0C, 0, 0, 254, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xBA, 0x04, 0x04, 0, 0x08, 0x02, 0, 0, 0xFF,
                0xFF, 0, 0, 0, 1,
            ])
    }

    /// Only the Touchatag's slot, which is for a module, takes TPDUs. All others take APDUs.
    @Test func noContactlessSlotHasTheTPDULevel() {
        let slots = USBReaderModel.allCases.flatMap { model in
            ((model.device as? CCIDReader)?.slots ?? []).map { (model: model, traits: $0.traits) }
        }
        #expect(slots.filter { $0.traits.level == .tpdu }.map { $0.model } == [.touchatag])
        #expect(slots.filter { $0.traits.features & 0x0006_0000 == 0 }.map { $0.model } == [.touchatag])
    }
}
