import Bitcoin
import TapManager
import TapProtocol

/// A card as HWI sees a device.
struct HWIDevice {
    let access: CardAtHand
    /// The master key's fingerprint, as the local store knows it; `nil`: nobody has asked for it yet.
    let fingerprint: Fingerprint?

    /// HWI's name for the kind of device.
    var type: String { access.status.product.rawValue }
    /// The same, and whether it is simulated.
    var model: String { access.isSimulated ? type + "_simulator" : type }
    /// Where it is: what `--device-path` takes.
    var path: String { access.reader.spec }

    /// The kinds of devices there are.
    static let products: Set<CardProduct> = [.tapsigner, .satschip]

    /// Whether `--device-type` means it.
    func isOf(type wanted: String) -> Bool { type == wanted || model == wanted }
}

/// A card as `enumerate` tells it.
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
        label = device.access.status.ident.description
        path = device.path
        self.fingerprint = fingerprint?.description
        error = problem?.error
        code = problem?.code
    }
}
