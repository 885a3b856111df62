/// How data that does not fit into one QR code is split.
package enum QRFormat: String, CaseIterable, Sendable {
    /// BBQr: fewer and smaller codes. Coldcard Q, Sparrow, Nunchuk, Cove, Krux and others read it.
    case bbqr
    /// Uniform resources: any large enough set of codes will do. Sparrow, Specter, BlueWallet, Keystone, Passport and
    /// others read them.
    case ur
}
