import Bitcoin
import ByteCodec
import FrontEndText
import TapManager
import TapProtocol
import TextLayout

/// Finds the card that is meant.
extension HWISession {
    /// The cards that HWI can use, and why others cannot be used, line by line.
    func devices() async -> (devices: [HWIDevice], problems: [String]) {
        var devices: [HWIDevice] = []
        var problems: [String] = []
        do {
            let manager = try equipment.lookingManager()
            for look in await manager.cards(on: try await manager.awaitedReaders().readers) {
                do {
                    guard let card = try look.get() else { continue }
                    devices.append(try device(card, manager))
                } catch { problems += explained(error) }
            }
        } catch { problems += explained(error) }
        return (devices, problems)
    }

    /// What happened, without what to do about it.
    private func explained(_ error: any Error) -> [String] {
        (error as? HWIError).map { [$0.error] } ?? host.explain(error).lines
    }

    private func device(_ card: CardAtHand, _ manager: CardManager) throws -> HWIDevice {
        let product = card.status.product
        guard HWIDevice.products.contains(product) else {
            throw HWIError(
                .unavailableAction,
                "\(card.label) is a \(product.displayName), which cannot be used as a wallet in HWI.")
        }
        guard choice.includes(card.ident) else {
            throw HWIError(.deviceConnection, "\(card.label) is not the card that --card names.")
        }
        let device = HWIDevice(card: card, fingerprint: try manager.knownFingerprint(of: card))
        // As with other devices' emulators, this is about where a card is: one on a real reader is listed, simulated or not.
        guard card.reader.kind != .sim || globals.allowsEmulators || globals.devicePath != nil else {
            throw HWIError(.deviceConnection, "\(card.label) is simulated: use --emulators to show it.")
        }
        return device
    }

    /// The card that the options ask for.
    /// - Parameter purpose: what its CVC is for, after “to”, if it is needed to identify the card.
    /// - Throws: `HWIError`: `.noDeviceType`, `.unknownDeviceType`, `.deviceConnection`; errors of the card, and
    ///   cancellation by the user.
    func device(to purpose: String) async throws -> HWIDevice {
        let candidates = try await candidates()
        // If it is known, nothing has to be asked.
        if case .known(let card, let fingerprint) = candidates.meant {
            return HWIDevice(card: card, fingerprint: fingerprint)
        }
        let found = try await work(among: candidates, to: purpose) { try await $0.card(of: candidates.meant) }
        return HWIDevice(card: found.card, fingerprint: found.fingerprint)
    }

    /// The card that the options ask for, ready to use.
    /// - Parameter purpose: what its CVC is for, after “to”.
    func card(to purpose: String) async throws -> HWICard {
        HWICard(try await device(to: purpose), self, to: purpose)
    }

    /// The cards that the options may ask for: one, or several that only their CVCs can tell apart.
    /// - Throws: `HWIError`: `.noDeviceType`, `.unknownDeviceType`, `.deviceConnection`; errors of the local store.
    func candidates() async throws -> HWICandidates {
        let wanted = try wantedFingerprint()
        if wanted == nil { try requireDeviceOptions() }
        let (all, problems) = await devices()
        let fitting = all.filter { device in globals.deviceType.map(device.isOf) ?? true }.map(\.card)
        guard !fitting.isEmpty, let meant = try equipment.lookingManager().candidates(wanted, among: fitting) else {
            throw notFound(problems)
        }
        return HWICandidates(meant: meant, problems: problems)
    }

    /// Does something with one of some cards.
    /// - Throws: `HWIError.deviceConnection` if none of them is the right one.
    func work<Result>(
        among candidates: HWICandidates, to purpose: String, _ body: (CardManager) async throws -> Result
    ) async throws -> Result {
        do { return try await work(to: purpose, body) } catch CardSearchError.noCard(
            .fingerprint, _)
        { throw notFound(candidates.problems) }
    }

    /// Checks the options that are required without a fingerprint.
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
            throw HWIError(.deviceConnection, "There is no device path “\(path)”: list them with enumerate.")
        }
    }

    /// The requested fingerprint; as in HWI, an empty one counts as none.
    /// - Throws: `HWIError.deviceConnection` for an invalid one.
    private func wantedFingerprint() throws(HWIError) -> Fingerprint? {
        guard let text = globals.fingerprint, !text.isEmpty else { return nil }
        guard let wanted = (try? Hex.decode(text)).flatMap({ Fingerprint($0) }) else {
            note("A fingerprint has 8 hexadecimal digits, not “\(TerminalText.neutralized(text))”.")
            throw notFound([])
        }
        return wanted
    }

    /// HWI's own words, which callers compare; the reasons are for the user.
    private func notFound(_ problems: [String]) -> HWIError {
        host.note(problems)
        return HWIError(.deviceConnection, "Could not find device with specified fingerprint or type")
    }
}
