/// A reader that people use for tap cards, or mistake for one.
package struct ReaderModel: Sendable {
    /// How tapkit can use it.
    package enum Kind: Sendable {
        /// PC/SC drives it.
        case pcsc
        /// Only libnfc drives it.
        case nfc
        /// Both can, but not at once.
        case both
        /// Only libnfc reaches a card on it, although PC/SC lists its slot for a module (SAM).
        case module
        /// It types numbers instead of talking to cards.
        case keyboard
        /// A serial line that may have a PN532 board behind it.
        case serialBridge
    }

    /// Vendor and product.
    package let identifier: USBID
    /// Maker and model.
    package let name: String
    /// How tapkit can use it.
    package let kind: Kind
    /// Whether the kernel module `pn533_usb` claims it.
    package let isTakenByKernel: Bool

    /// Whether libnfc drives it on USB.
    package var isForNFC: Bool { libnfcDriver != nil }
    /// The libnfc driver that has it in its list of USB devices; `nil` if none has.
    ///
    /// Spec: libnfc 1.8.0, `pn53x_usb_supported_devices` and `acr122_usb_supported_devices`.
    package var libnfcDriver: String? {
        switch kind {
        case .nfc: "pn53x_usb"
        case .both, .module: "acr122_usb"
        case .pcsc, .keyboard, .serialBridge: nil
        }
    }
    /// Whether PC/SC reaches a card on it.
    package var isForPCSC: Bool {
        switch kind {
        case .pcsc, .both: true
        case .nfc, .module, .keyboard, .serialBridge: false
        }
    }
    /// Whether the PC/SC service lists it, even if only for its slot for a module.
    package var isListedByService: Bool {
        switch kind {
        case .pcsc, .both, .module: true
        case .nfc, .keyboard, .serialBridge: false
        }
    }

    private init(
        _ vendor: UInt16, _ product: UInt16, _ name: String, _ kind: Kind, isTakenByKernel: Bool = false
    ) {
        identifier = USBID(vendor, product)
        self.name = name
        self.kind = kind
        self.isTakenByKernel = isTakenByKernel
    }

    /// The ACR122U, which has its own quirks.
    package static let acr122u = USBID(0x072F, 0x2200)

    /// All of them, as in the handbook's table of readers.
    package static let all = [
        ReaderModel(0x076B, 0x5022, "HID OMNIKEY 5022 CL", .pcsc),
        ReaderModel(0x076B, 0x5427, "HID OMNIKEY 5427 CK", .pcsc),
        ReaderModel(0x072F, 0x223B, "ACS ACR1252U", .pcsc),
        ReaderModel(0x072F, 0x223E, "ACS ACR1252U", .pcsc),
        ReaderModel(0x072F, 0x221A, "ACS ACR1251", .pcsc),
        ReaderModel(0x072F, 0x223F, "ACS ACR1255U-J1", .pcsc),
        ReaderModel(0x072F, 0x2303, "ACS ACR1552", .pcsc),
        ReaderModel(0x072F, 0x2308, "ACS ACR1552", .pcsc),
        ReaderModel(0x04E6, 0x5790, "Identiv uTrust 3700 F", .pcsc),
        ReaderModel(0x04E6, 0x5791, "Identiv uTrust 3701 F", .pcsc),
        ReaderModel(0x072F, 0x2200, "ACS ACR122U", .both, isTakenByKernel: true),
        ReaderModel(0x072F, 0x90CC, "Touchatag (ACS ACR122, ACR38U)", .module),
        ReaderModel(0x072F, 0x2214, "ACS ACR1222", .both),
        ReaderModel(0x04CC, 0x0531, "NXP PN531", .nfc),
        ReaderModel(0x054C, 0x0193, "Sony PN531", .nfc),
        ReaderModel(0x04CC, 0x2533, "NXP PN533", .nfc, isTakenByKernel: true),
        ReaderModel(0x04E6, 0x5591, "SCM SCL3711", .nfc, isTakenByKernel: true),
        ReaderModel(0x04E6, 0x5594, "SCM SCL3712", .nfc),
        ReaderModel(0x054C, 0x02E1, "Sony PaSoRi S360", .nfc, isTakenByKernel: true),
        ReaderModel(0x1FD3, 0x0608, "ASK LoGO", .nfc),
        ReaderModel(0x076B, 0x5428, "HID OMNIKEY 5427 CK in keyboard mode", .keyboard),
        ReaderModel(0x10C4, 0xEA60, "USB-serial bridge CP210x", .serialBridge),
        ReaderModel(0x1A86, 0x7523, "USB-serial bridge CH340", .serialBridge),
        ReaderModel(0x1A86, 0x55D4, "USB-serial bridge CH9102", .serialBridge),
        ReaderModel(0x0403, 0x6001, "USB-serial bridge FT232", .serialBridge),
        ReaderModel(0x0403, 0x6015, "USB-serial bridge FT231X", .serialBridge),
        ReaderModel(0x067B, 0x2303, "USB-serial bridge PL2303", .serialBridge),
    ]

    /// Manufacturers of contactless readers: HID, ACS, Identiv (SCM), rf IDEAS, Elatec.
    package static let makers: Set<UInt16> = [0x076B, 0x072F, 0x04E6, 0x0C27, 0x09D8]
}
