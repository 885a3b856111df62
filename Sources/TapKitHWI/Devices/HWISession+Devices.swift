import Bitcoin
import ByteCodec
import FrontEndText
import TapManager
import TapProtocol

/// Which card is meant.
extension HWISession {
    /// The cards that can be wallets, and why others cannot, line by line.
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
            throw HWIError(.unavailableAction, "\(card.label) is a \(product.displayName), which is no wallet for HWI.")
        }
        guard choice.includes(card.ident) else {
            throw HWIError(.deviceConnection, "\(card.label) is not the card that --card names.")
        }
        let device = HWIDevice(card: card, fingerprint: try manager.knownFingerprint(of: card))
        guard card.reader.kind != .sim || globals.allowsEmulators || globals.devicePath != nil else {
            throw HWIError(.deviceConnection, "\(card.label) is simulated: --emulators shows it.")
        }
        return device
    }

    /// The card that the options ask for.
    /// - Parameter purpose: what its CVC is for, behind “to”, should it be needed to find out which card it is.
    /// - Throws: `HWIError`: `.noDeviceType`, `.unknownDeviceType`, `.deviceConnection`; what the card and its person say.
    func device(to purpose: String) async throws -> HWIDevice {
        let candidates = try await candidates()
        guard let wanted = candidates.unproven else { return candidates.first }
        let card = try await work(among: candidates, to: purpose) {
            try await $0.card(with: wanted, among: candidates.cards)
        }
        return HWIDevice(card: card, fingerprint: wanted)
    }

    /// The card that the options ask for, at work.
    /// - Parameter purpose: what its CVC is for, behind “to”.
    func card(to purpose: String) async throws -> HWICard {
        HWICard(try await device(to: purpose), self, to: purpose)
    }

    /// The cards that the options may ask for: one, or several of which only their CVCs tell which it is.
    /// - Throws: `HWIError`: `.noDeviceType`, `.unknownDeviceType`, `.deviceConnection`.
    func candidates() async throws(HWIError) -> HWICandidates {
        let wanted = try wantedFingerprint()
        if wanted == nil { try requireDeviceOptions() }
        let (all, problems) = await devices()
        let fitting = all.filter { device in globals.deviceType.map(device.isOf) ?? true }
        guard let candidates = HWICandidates(wanted, among: fitting, problems: problems) else {
            throw notFound(problems)
        }
        return candidates
    }

    /// Does something with one of some cards.
    /// - Throws: `HWIError.deviceConnection` when none of them is the one.
    func work<Result>(
        among candidates: HWICandidates, to purpose: String, _ body: (CardManager) async throws -> Result
    ) async throws -> Result {
        do { return try await work(among: candidates.cards, to: purpose, body) } catch CardSearchError.noCard(
            .fingerprint, _)
        { throw notFound(candidates.problems) }
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
