import Bitcoin
import ByteCodec
import SmartCard
import TapManager
import TapProtocol

/// One call of HWI's command line: which card is meant, and its CVC.
struct HWISession {
    let globals: HWIGlobals
    let options: GlobalOptions
    /// The network of everything that is answered, whichever the card says it is for: HWI's caller decides.
    let network: Network
    private let book: CVCBook?

    /// - Parameters:
    ///   - password: what `-p` gave.
    ///   - input: standard input, of which words may have been read.
    ///   - needsCVC: false for a command that does without: callers may give every device one password, or name a file
    ///     that is not there.
    /// - Throws: `HWIError`, and `Failure` for a CVC that is none.
    init(
        _ globals: HWIGlobals, password: SecretBytes?, input: StandardInputLines, needsCVC: Bool = true
    ) throws {
        self.globals = globals
        options = try globals.ownOptions()
        network = try globals.network(options)
        try options.requireSense()
        let typed = password ?? globals.password.map { SecretBytes(Array($0.utf8)) }
        do throws(Failure) {
            // An empty password is HWI's way to say that there is none.
            if let typed, typed.count > 0 {
                book = CVCBook(try SecretInput.cvc(typed))
            } else if globals.readsPassword {
                book = CVCBook(try SecretInput.cvcFromTerminal(orLineOf: input))
            } else if options.cvcOptions.readsStandardInput {
                book = CVCBook(try SecretInput.cvc(fromLineOf: input))
            } else {
                book = try options.cvcOptions.book()
            }
        } catch {
            guard !needsCVC, error.code != .interrupted else { throw error }
            book = nil
            options.console.note("There is no CVC: \(error.message)")
        }
    }

    /// Tells the person something; standard output belongs to JSON.
    func note(_ text: String) { options.console.note(text) }

    // MARK: Cards

    /// The cards that can be wallets, and why others cannot.
    func devices() async -> (devices: [HWIDevice], problems: [Failure]) {
        var devices: [HWIDevice] = []
        var problems: [Failure] = []
        do throws(Failure) {
            let manager = try options.manager(over: MemoryStore())
            let readers: [any CardReader]
            do throws(CardSearchError) { readers = try await manager.awaitedReaders().readers } catch {
                throw Failure(error)
            }
            for look in await manager.cards(on: readers) {
                switch look {
                case .success(nil): break
                case .failure(let error): problems.append(Failure(error))
                case .success(let access?):
                    do throws(Failure) { try devices.append(device(access)) } catch { problems.append(error) }
                }
            }
        } catch { problems.append(error) }
        return (devices, problems)
    }

    private func device(_ access: CardAtHand) throws(Failure) -> HWIDevice {
        let status = access.status
        guard HWIDevice.products.contains(status.product) else {
            throw Failure(
                .notSupported, "\(access.label) is a \(status.product.displayName), which is no wallet for HWI.")
        }
        guard options.cardChoice.includes(status.ident) else {
            throw Failure(.noCard, "\(access.label) is not the card that --card names.")
        }
        guard !access.isSimulated || globals.allowsEmulators || globals.devicePath != nil else {
            throw Failure(.noCard, "\(access.label) is simulated: --emulators shows it.")
        }
        return HWIDevice(access: access, fingerprint: try knownFingerprint(of: status.ident))
    }

    private func knownFingerprint(of ident: CardIdent) throws(Failure) -> Fingerprint? {
        guard let store = try options.existingStore() else { return nil }
        do throws(StoreError) { return try store.card(ident)?.fingerprint } catch { throw Failure(error) }
    }

    /// The card that the options ask for.
    /// - Parameter purpose: what its CVC is for, behind “to”, should it be needed to find out which card it is.
    /// - Throws: `HWIError`: `.noDeviceType`, `.unknownDeviceType`, `.deviceConnection`.
    func device(for purpose: String) async throws -> HWIDevice { try await found(for: purpose).device }

    /// The card that the options ask for, with its CVC.
    func card(for purpose: String) async throws -> HWICard {
        let (device, card) = try await found(for: purpose)
        if let card { return card }
        return try self.card(device, for: purpose)
    }

    /// - Returns: the card with its CVC if that was needed to find out which card it is.
    func found(for purpose: String) async throws -> (device: HWIDevice, card: HWICard?) {
        let wanted = try wantedFingerprint()
        if wanted == nil {
            guard let type = globals.deviceType, !type.isEmpty else {
                throw HWIError(
                    .noDeviceType, "You must specify a device type or fingerprint for all commands except enumerate")
            }
            if let path = globals.devicePath {
                guard HWIDevice.isKnown(type: type) else {
                    throw HWIError(.unknownDeviceType, "Unknown device type specified")
                }
                guard globals.reader(at: path) != nil else {
                    throw HWIError(.deviceConnection, "There is no device path like “\(path)”: enumerate tells them.")
                }
            }
        }
        let (all, problems) = await devices()
        let fitting = all.filter { device in globals.deviceType.map(device.isOf) ?? true }
        guard let wanted else {
            if let first = fitting.first { return (first, nil) }
            throw notFound(problems)
        }
        if let known = fitting.first(where: { $0.fingerprint == wanted }) { return (known, nil) }
        let unknown = Self.unknown(among: fitting)
        for device in unknown {
            try requireCertainCVC(of: device, among: unknown)
            let card = try card(device, for: purpose)
            if try await card.fingerprint() == wanted { return (device, card) }
        }
        throw notFound(problems)
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

    /// The cards that only their CVC can tell the fingerprint of.
    static func unknown(among devices: [HWIDevice]) -> [HWIDevice] {
        devices.filter { $0.fingerprint == nil && $0.access.status.isSetUp }
    }

    /// Confirms that a CVC that was given is not tried on one card after the other: each would count a wrong one.
    /// - Throws: `Failure.ambiguousCard`.
    func requireCertainCVC(of device: HWIDevice, among unknown: [HWIDevice]) throws(Failure) {
        guard unknown.count > 1, let book, !book.names(device.access.status.ident) else { return }
        throw Failure(
            .ambiguousCard,
            "Several cards have no known fingerprint, and the CVC that was given is not tried on each.",
            hint: "Name one with --card, or run tapkit xpub once with each.")
    }

    /// HWI's own words, which callers compare; why no card fits is for people.
    private func notFound(_ problems: [Failure]) -> HWIError {
        for problem in problems { note(problem.message) }
        return HWIError(.deviceConnection, "Could not find device with specified fingerprint or type")
    }

    /// A card with its CVC: the one that was given, or that is asked for.
    /// - Parameter purpose: what for, behind “to”.
    func card(_ device: HWIDevice, for purpose: String) throws -> HWICard {
        let prompt = CVCPrompt(device.access, to: purpose, isForWindow: true)
        return try HWICard(device, CVCSource(given: givenCVC(of: device), prompt), self)
    }

    /// The CVC that was given for a card; `nil`: somebody must be asked.
    func givenCVC(of device: HWIDevice) -> CVC? { book?.cvc(of: device.access.status.ident) }
}

extension HWIDevice {
    /// Whether there are such devices at all.
    static func isKnown(type: String) -> Bool {
        products.contains { type == $0.rawValue || type == $0.rawValue + "_simulator" }
    }
}
