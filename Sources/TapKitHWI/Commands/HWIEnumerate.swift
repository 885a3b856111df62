import Bitcoin
import FrontEndText
import TapManager

/// `hwi enumerate`: the cards whose fingerprint is known.
///
/// Bitcoin Core gives up if any device has an error. So such a card is left out, and standard error says why; with
/// `--expert` it is listed.
struct HWIEnumerate: HWICommand {
    static let grammar = HWIGrammar(
        "enumerate", abstract: "List the cards on the readers.",
        discussion: """
            A card's CVC is needed once to read its fingerprint; then the local store knows it. A card with an unknown \
            fingerprint is left out, and standard error says why; with --expert it is listed with an error.
            """)
    static let needsCVC = false

    init(_ values: HWIValues) {}

    func answer(_ session: HWISession) async throws -> [HWIDeviceDocument] {
        let (devices, problems) = await session.devices()
        session.host.note(problems)
        var documents: [HWIDeviceDocument] = []
        let unknown = devices.filter { $0.fingerprint == nil && $0.card.status.isSetUp }.map(\.card)
        for device in devices {
            do {
                let fingerprint = try await fingerprint(of: device, among: unknown, session)
                documents.append(HWIDeviceDocument(device, fingerprint: fingerprint))
            } catch {
                let problem = HWIError(unexpected: error, session.host)
                session.host.note(problem.lines(after: "\(device.card.label) is left out: "))
                if session.globals.isExpert {
                    documents.append(HWIDeviceDocument(device, fingerprint: nil, problem: problem))
                }
            }
        }
        return documents
    }

    /// The fingerprint from the store, or from the card with the given CVC; the user is not asked for one.
    private func fingerprint(
        of device: HWIDevice, among unknown: [CardAtHand], _ session: HWISession
    ) async throws -> Fingerprint {
        if let known = device.fingerprint { return known }
        guard device.card.status.isSetUp else {
            throw HWIError(.notInitialized, "The card has no key yet. Run tapkit setup.")
        }
        guard session.hasCVC(of: device.card) else {
            throw HWIError(
                .notReady,
                "Its fingerprint is not known yet. Reading it needs the CVC once: run tapkit xpub, or give the CVC here."
            )
        }
        return try await session.work(to: "find out its fingerprint") {
            try await $0.fingerprint(of: device.card, among: unknown)
        }
    }
}
