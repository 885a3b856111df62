/// The setup packet of a control transfer.
///
/// Spec: USB 2.0, section 9.3.
struct USBRequest: Equatable {
    /// Direction, type and recipient.
    let kind: UInt8
    let code: UInt8
    let value: UInt16
    let index: UInt16
    /// The bytes that follow, or that the host has room for.
    let length: UInt16

    /// Whether the data goes to the host.
    var isForHost: Bool { kind & USBEndpoint.forHost != 0 }

    /// Whether every device must know it, as opposed to a class's or a vendor's.
    var isStandard: Bool { kind & 0x60 == 0 }

    /// Whom it concerns.
    var recipient: Recipient? { Recipient(rawValue: kind & 0x1F) }

    /// Whom a request concerns.
    enum Recipient: UInt8 {
        case device = 0
        case interface = 1
        case endpoint = 2
    }
}
