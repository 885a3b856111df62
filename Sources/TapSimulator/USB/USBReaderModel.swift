/// A USB reader that can be simulated. What each is made of, and what is not known from hardware, stands where it is built.
public enum USBReaderModel: String, Sendable, CaseIterable {
    /// ACS ACR1252U, for PC/SC.
    case acr1252u
    /// ACS ACR1252U without a slot for a module, for PC/SC.
    case acr1252single
    /// ACS ACR1251U, for PC/SC.
    case acr1251u
    /// ACS ACR1255U-J1, for PC/SC.
    case acr1255u
    /// ACS ACR1552U, for PC/SC with the `libccid` of Debian 13.
    case acr1552u
    /// ACS ACR122U, for PC/SC or libnfc.
    case acr122u
    /// ACS ACR122U with firmware 2.05, which only libnfc uses.
    case acr122u205
    /// Touchatag, for libnfc: PC/SC sees only its slot for a module.
    case touchatag
    /// ACS ACR1222, for libnfc.
    case acr1222
    /// HID OMNIKEY 5022, for PC/SC.
    case omnikey5022
    /// HID OMNIKEY 5427 CK, for PC/SC.
    case omnikey5427ck
    /// HID OMNIKEY 5427 CK in keyboard mode, which no program can use.
    case omnikey5427kb
    /// Identiv uTrust 3700 F, for PC/SC.
    case utrust3700f
    /// Identiv uTrust 3701 F, for PC/SC.
    case utrust3701f
    /// SCM SCL3711, for libnfc.
    case scl3711
    /// SCM SCL3712, for libnfc.
    case scl3712
    /// ASK LoGO, for libnfc.
    case logo
    /// NXP PN533, for libnfc.
    case pn533
    /// NXP PN531, for libnfc.
    case pn531
    /// Sony's reader with a PN531, for libnfc.
    case sonypn531
    /// Sony PaSoRi RC-S360, for libnfc.
    case s360
    /// A PN532 board with a CH340 bridge, for libnfc.
    case pn532ch340
    /// A PN532 board with a CP2102 bridge, for libnfc.
    case pn532cp2102
    /// A PN532 board with an FT231X bridge, for libnfc.
    case pn532ft231x
    /// A PN532 board with a PL2303 bridge, for libnfc.
    case pn532pl2303
    /// A PN532 board with a CH9102 bridge, for libnfc.
    case pn532ch9102

    /// The reader as its maker calls it.
    public var name: String {
        switch self {
        case .acr1252u: "ACS ACR1252U"
        case .acr1252single: "ACS ACR1252U without a slot for a module"
        case .acr1251u: "ACS ACR1251U"
        case .acr1255u: "ACS ACR1255U-J1"
        case .acr1552u: "ACS ACR1552U"
        case .acr122u: "ACS ACR122U"
        case .acr122u205: "ACS ACR122U with firmware 2.05"
        case .touchatag: "Touchatag"
        case .acr1222: "ACS ACR1222"
        case .omnikey5022: "HID OMNIKEY 5022"
        case .omnikey5427ck: "HID OMNIKEY 5427 CK"
        case .omnikey5427kb: "HID OMNIKEY 5427 CK in keyboard mode"
        case .utrust3700f: "Identiv uTrust 3700 F"
        case .utrust3701f: "Identiv uTrust 3701 F"
        case .scl3711: "SCM SCL3711"
        case .scl3712: "SCM SCL3712"
        case .logo: "ASK LoGO"
        case .pn533: "NXP PN533"
        case .pn531: "NXP PN531"
        case .sonypn531: "Sony PN531"
        case .s360: "Sony PaSoRi S360"
        case .pn532ch340: "PN532 board with a CH340 bridge"
        case .pn532cp2102: "PN532 board with a CP2102 bridge"
        case .pn532ft231x: "PN532 board with an FT231X bridge"
        case .pn532pl2303: "PN532 board with a PL2303 bridge"
        case .pn532ch9102: "PN532 board with a CH9102 bridge"
        }
    }

    /// A new device of this model.
    var device: any USBDevice {
        switch self {
        case .acr1252u: CCIDReader.acr1252u
        case .acr1252single: CCIDReader.acr1252Single
        case .acr1251u: CCIDReader.acr1251u
        case .acr1255u: CCIDReader.acr1255u
        case .acr1552u: CCIDReader.acr1552u
        case .acr122u: CCIDReader.acr122u
        case .acr122u205: CCIDReader.acr122u205
        case .touchatag: CCIDReader.touchatag
        case .acr1222: CCIDReader.acr1222
        case .omnikey5022: CCIDReader.omnikey5022
        case .omnikey5427ck: CCIDReader.omnikey5427CK
        case .omnikey5427kb: KeyboardReader()
        case .utrust3700f: CCIDReader.uTrust3700F
        case .utrust3701f: CCIDReader.uTrust3701F
        case .scl3711: PN53xReader.scl3711
        case .scl3712: PN53xReader.scl3712
        case .logo: PN53xReader.logo
        case .pn533: PN53xReader.pn533
        case .pn531: PN53xReader.pn531
        case .sonypn531: PN53xReader.sonyPN531
        case .s360: PN53xReader.s360
        case .pn532ch340: SerialBoard(CH340Bridge.self)
        case .pn532cp2102: SerialBoard(CP2102Bridge.self)
        case .pn532ft231x: SerialBoard(FT231XBridge.self)
        case .pn532pl2303: SerialBoard(PL2303Bridge.self)
        case .pn532ch9102: SerialBoard(CH9102Bridge.self)
        }
    }
}
