import Bitcoin
import ByteCodec
import FrontEndText
import TapManager

/// Which card is meant.
extension HWISession {
    /// The cards that can be wallets, and why others cannot, line by line.
    func devices() async -> (devices: [HWIDevice], problems: [String]) {
        var devices: [HWIDevice] = []
        var problems: [String] = []
        do {
            let manager = try host.lookingManager(globals.places)
            for look in await manager.cards(on: try await manager.awaitedReaders().readers) {
                do {
                    guard let card = try look.get() else { continue }
                    devices.append(try device(card))
                } catch { problems += explained(error) }
            }
        } catch { problems += explained(error) }
        return (devices, problems)
    }

    /// What happened, without what to do about it.
    private func explained(_ error: any Error) -> [String] {
        (error as? HWIError).map { [$0.error] } ?? host.explain(error).lines
    }

    private func device(_ card: CardAtHand) throws -> HWIDevice {
        let status = card.status
        guard HWIDevice.products.contains(status.product) else {
            throw HWIError(
                .unavailableAction, "\(card.label) is a \(status.product.displayName), which is no wallet for HWI.")
        }
        guard choice.includes(status.ident) else {
            throw HWIError(.deviceConnection, "\(card.label) is not the card that --card names.")
        }
        guard card.reader.kind != .sim || globals.allowsEmulators || globals.devicePath != nil else {
            throw HWIError(.deviceConnection, "\(card.label) is simulated: --emulators shows it.")
        }
        return HWIDevice(card: card, fingerprint: try host.knownFingerprint(of: status.ident, globals.places))
    }

    /// The cards that only their CVC can tell the fingerprint of.
    static func unknown(among devices: [HWIDevice]) -> [HWIDevice] {
        devices.filter { $0.fingerprint == nil && $0.card.status.isSetUp }
    }

    /// The card that the options ask for.
    /// - Parameter purpose: what its CVC is for, behind “to”, should it be needed to find out which card it is.
    /// - Throws: `HWIError`: `.noDeviceType`, `.unknownDeviceType`, `.deviceConnection`; what the card and its person say.
    func device(to purpose: String) async throws -> HWIDevice {
        let wanted = try wantedFingerprint()
        if wanted == nil { try requireDeviceOptions() }
        let (all, problems) = await devices()
        let fitting = all.filter { device in globals.deviceType.map(device.isOf) ?? true }
        guard let wanted else {
            guard let first = fitting.first else { throw notFound(problems) }
            return first
        }
        if let known = fitting.first(where: { $0.fingerprint == wanted }) { return known }
        let unknown = Self.unknown(among: fitting)
        for device in unknown {
            try requireCertainCVC(of: device, among: unknown)
            let proven = try await HWICard(device, self, to: purpose).keys(at: []).masterFingerprint
            if proven == wanted { return HWIDevice(card: device.card, fingerprint: proven) }
        }
        throw notFound(problems)
    }

    /// The card that the options ask for, at work.
    /// - Parameter purpose: what its CVC is for, behind “to”.
    func card(to purpose: String) async throws -> HWICard {
        HWICard(try await device(to: purpose), self, to: purpose)
    }

    /// What must be said where no fingerprint is.
    private func requireDeviceOptions() throws(HWIError) {
        guard let type = globals.deviceType, !type.isEmpty else {
            throw HWIError(
                .noDeviceType, "You must specify a device type or fingerprint for all commands except enumerate")
        }
        guard let path = globals.devicePath else { return }
        guard HWIDevice.isKnown(type: type) else {
            throw HWIError(.unknownDeviceType, "Unknown device type specified")
        }
        guard host.isReader(path) else {
            throw HWIError(.deviceConnection, "There is no device path like “\(path)”: enumerate tells them.")
        }
    }

    /// The fingerprint that was asked for; an empty one is none, for HWI.
    /// - Throws: `HWIError.deviceConnection` for what no card can have.
    private func wantedFingerprint() throws(HWIError) -> Fingerprint? {
        guard let text = globals.fingerprint, !text.isEmpty else { return nil }
        guard let wanted = (try? Hex.decode(text)).flatMap({ Fingerprint($0) }) else {
            note("A fingerprint has 8 hexadecimal digits, not “\(TerminalText.neutralized(text))”.")
            throw notFound([])
        }
        return wanted
    }

    /// HWI's own words, which callers compare; why no card fits is for people.
    private func notFound(_ problems: [String]) -> HWIError {
        host.note(problems)
        return HWIError(.deviceConnection, "Could not find device with specified fingerprint or type")
    }
}
