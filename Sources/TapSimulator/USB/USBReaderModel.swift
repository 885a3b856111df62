/// A USB reader that can be simulated. What each is made of, and what is not known from hardware, stands where it is built.
public enum USBReaderModel: String, Sendable, CaseIterable {
    /// ACS ACR1252U, for PC/SC.
    case acr1252u
    /// ACS ACR122U, for PC/SC or libnfc.
    case acr122u
    /// ACS ACR122U with firmware 2.05, which only libnfc uses.
    case acr122u205
    /// HID OMNIKEY 5022, for PC/SC.
    case omnikey5022
    /// HID OMNIKEY 5427 CK in keyboard mode, which no program can use.
    case omnikey5427kb
    /// Identiv uTrust 3700 F, for PC/SC.
    case utrust3700f
    /// SCM SCL3711, for libnfc.
    case scl3711
    /// NXP PN533, for libnfc.
    case pn533

    /// The reader as its maker calls it.
    public var name: String {
        switch self {
        case .acr1252u: "ACS ACR1252U"
        case .acr122u: "ACS ACR122U"
        case .acr122u205: "ACS ACR122U with firmware 2.05"
        case .omnikey5022: "HID OMNIKEY 5022"
        case .omnikey5427kb: "HID OMNIKEY 5427 CK in keyboard mode"
        case .utrust3700f: "Identiv uTrust 3700 F"
        case .scl3711: "SCM SCL3711"
        case .pn533: "NXP PN533"
        }
    }

    /// A new device of this model.
    var device: any USBDevice {
        switch self {
        case .acr1252u: CCIDReader.acr1252u
        case .acr122u: CCIDReader.acr122u
        case .acr122u205: CCIDReader.acr122u205
        case .omnikey5022: CCIDReader.omnikey5022
        case .omnikey5427kb: KeyboardReader()
        case .utrust3700f: CCIDReader.uTrust3700F
        case .scl3711: PN53xReader.scl3711
        case .pn533: PN53xReader.pn533
        }
    }
}
