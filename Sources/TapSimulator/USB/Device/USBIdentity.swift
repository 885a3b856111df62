/// Who a device is: what its descriptor says first.
struct USBIdentity {
    let vendor: UInt16
    let product: UInt16
    /// The device's release, as binary-coded decimals.
    let version: UInt16
    let names: (maker: String, product: String)
    /// The current that it may draw, in units of 2 mA.
    var power: UInt8 = 50
}
