import Bitcoin
import TapManager
import TapProtocol

/// A card as HWI sees a device.
struct HWIDevice {
    let card: CardAtHand
    /// The master key's fingerprint, from the local store or just proven by the card; `nil`: not known yet.
    let fingerprint: Fingerprint?

    /// HWI's name for the device type.
    var type: String { card.status.product.rawValue }
    /// The type, with HWI's ending for an emulator if the card is in a file and not on a reader. Callers compare it, so a
    /// simulated card on a real reader is what it poses as.
    var model: String { card.reader.kind == .sim ? type + Self.simulated : type }
    /// Where it is: what `--device-path` takes.
    var path: String { card.reader.spec }

    /// The supported device types.
    static let products: Set<CardProduct> = [.tapsigner, .satschip]
    private static let simulated = "_simulator"

    /// Whether `--device-type` refers to it.
    func isOf(type wanted: String) -> Bool { type == wanted || model == wanted }

    /// Whether there are devices of this type.
    static func isKnown(type: String) -> Bool {
        products.contains { type == $0.rawValue || type == $0.rawValue + simulated }
    }
}

/// A card as `enumerate` lists it.
struct HWIDeviceDocument: Encodable {
    let type: String
    let model: String
    let label: String
    let path: String
    let needsPinSent = false
    let needsPassphraseSent = false
    let fingerprint: String?
    let error: String?
    let code: HWIError.Code?

    /// - Parameter problem: why there is no fingerprint.
    init(_ device: HWIDevice, fingerprint: Fingerprint?, problem: HWIError? = nil) {
        type = device.type
        model = device.model
        label = device.card.ident.description
        path = device.path
        self.fingerprint = fingerprint?.description
        error = problem?.error
        code = problem?.code
    }
}
