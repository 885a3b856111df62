import ByteCodec

/// What a device says about itself.
///
/// Spec: USB 2.0, section 9.6.
struct USBDescription {
    /// The longest packet on the control endpoint, in bytes.
    static let controlPacket: UInt8 = 64
    /// The configuration's number; these devices have only one.
    static let configuration: UInt8 = 1
    private static let english: UInt16 = 0x0409

    let vendor: UInt16
    let product: UInt16
    /// The device's release, as binary-coded decimals.
    let version: UInt16
    /// The maker's name, and the product's.
    let names: (maker: String, product: String)
    /// The current that it may draw, in units of 2 mA.
    let power: UInt8
    let interfaces: [USBInterface]

    /// The endpoint with an address; `nil` if there is none.
    func endpoint(_ address: UInt8) -> USBEndpoint? {
        interfaces.lazy.flatMap(\.endpoints).first { $0.address == address }
    }

    /// A descriptor; `nil` if the device has no such one.
    func descriptor(_ kind: UInt8, index: UInt8) -> [UInt8]? {
        switch (kind, index) {
        case (1, 0): deviceDescriptor
        case (2, 0): configurationDescriptor
        case (3, _): text(index)
        // A qualifier describes the device at another speed; one for full speed only has none.
        default: nil
        }
    }

    private var deviceDescriptor: [UInt8] {
        var bytes: [UInt8] = [18, 1]
        bytes.appendLittleEndian(0x0200 as UInt16)
        // The interfaces name the class.
        bytes += [0, 0, 0, Self.controlPacket]
        bytes.appendLittleEndian(vendor)
        bytes.appendLittleEndian(product)
        bytes.appendLittleEndian(version)
        return bytes + [1, 2, 0, 1]
    }

    private var configurationDescriptor: [UInt8] {
        let content = interfaces.enumerated().flatMap { place, interface in
            interface.descriptor(nameIndex: interface.name == nil ? 0 : UInt8(clamping: 3 + place))
        }
        var bytes: [UInt8] = [9, 2]
        bytes.appendLittleEndian(UInt16(clamping: 9 + content.count))
        return bytes + [UInt8(clamping: interfaces.count), Self.configuration, 0, 0x80, power] + content
    }

    private func text(_ index: UInt8) -> [UInt8]? {
        if index == 0 {
            var bytes: [UInt8] = [4, 3]
            bytes.appendLittleEndian(Self.english)
            return bytes
        }
        let texts = [names.maker, names.product] + interfaces.map { $0.name ?? "" }
        guard texts.indices.contains(Int(index) - 1), !texts[Int(index) - 1].isEmpty else { return nil }
        var bytes: [UInt8] = []
        for unit in texts[Int(index) - 1].utf16.prefix(126) { bytes.appendLittleEndian(unit) }
        return [UInt8(clamping: bytes.count + 2), 3] + bytes
    }
}

/// One function of a device.
///
/// Spec: USB 2.0, section 9.6.5.
struct USBInterface {
    let number: UInt8
    let kind: (class: UInt8, subclass: UInt8, protocol: UInt8)
    let name: String?
    /// The class's own descriptor, after the interface's.
    let details: [UInt8]
    let endpoints: [USBEndpoint]
    /// What the host can ask the interface for, by the descriptors' kinds.
    var classDescriptors: [UInt8: [UInt8]] = [:]

    fileprivate func descriptor(nameIndex: UInt8) -> [UInt8] {
        [9, 4, number, 0, UInt8(clamping: endpoints.count), kind.class, kind.subclass, kind.protocol, nameIndex]
            + details + endpoints.flatMap(\.descriptor)
    }
}

/// One end of a device's pipe to the host.
///
/// Spec: USB 2.0, section 9.6.6.
struct USBEndpoint: Equatable {
    /// How bytes are transferred.
    enum Kind: UInt8 {
        case control = 0
        case bulk = 2
        case interrupt = 3
    }

    /// The bit of an address, and of a request, that says: to the host.
    static let forHost: UInt8 = 0x80

    let address: UInt8
    let kind: Kind
    let longestPacket: UInt16
    /// How often the host asks for interrupts, in milliseconds.
    let interval: UInt8

    var isForHost: Bool { Self.isForHost(address) }

    static func isForHost(_ address: UInt8) -> Bool { address & forHost != 0 }

    fileprivate var descriptor: [UInt8] {
        var bytes = [7, 5, address, kind.rawValue]
        bytes.appendLittleEndian(longestPacket)
        return bytes + [interval]
    }
}
