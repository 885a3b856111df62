import Bitcoin
import SmartCard
import TapSimulator
import Testing

@testable import TapProtocol

/// Whole stories with the software card, which was written from the protocol and not from the code under test.
@Suite struct SimulatedCardFlowTests {
    private let chainCode = ChainCode(repeating: 0x21)
    private let path = DerivationPath([84, 1, 0].map { ChildNumber(rawValue: $0 | 0x8000_0000) })
    private let digest = Digest(hashing: "tapkit".utf8)
    private let oldCVC: CVC
    private let newCVC: CVC

    init() throws {
        oldCVC = try CVC("123456")
        newCVC = try CVC("98765432109876543210987654321098")
    }

    private func card(
        _ product: SimulatedProduct = .tapsigner, adjust: (inout SimulatedCardOptions) -> Void = { _ in }
    ) throws -> SimulatedCard {
        var options = SimulatedCardOptions(product: product)
        options.seed = [7]
        options.cvc = "123456"
        options.unluckyPercent = 0
        adjust(&options)
        return try SimulatedCard(options, waitDuration: .zero)
    }

    /// A card with a key at `path`.
    private func readyCard(adjust: (inout SimulatedCardOptions) -> Void = { _ in }) async throws -> SimulatedCard {
        let card = try card(adjust: adjust)
        try await TapCard(reader: SimulatedReader(card: card)).perform {
            try $0.createKey(chainCode: chainCode, cvc: oldCVC)
            try $0.setPath(path, cvc: oldCVC)
        }
        return card
    }

    private func error(from body: () async throws -> some Any) async throws -> TapError {
        do { _ = try await body() } catch let error as TapError { return error }
        throw ReaderError(.timedOut, "Nothing was thrown.")
    }

    @Test(arguments: TapSimulator.AppletVersion.allCases, [false, true])
    func fromTheShopToTheFirstSignature(version: TapSimulator.AppletVersion, isOdd: Bool) async throws {
        let card = try card {
            $0.version = version
            $0.network = isOdd ? .test : .main
            $0.certificateHeader = isOdd ? .uncompressed : .segwit
            $0.signsDeriveWithDerivedKey = isOdd
            $0.unluckyPercent = 12
        }
        let root = try card.record.rootKey
        let tap = TapCard(reader: SimulatedReader(card: card))
        let (chainCode, path, digest, oldCVC, newCVC) = (chainCode, path, digest, oldCVC, newCVC)
        let backupKey = try Backup.Key(hex: try #require(card.record.aesKey))

        try await tap.perform { session in
            #expect(session.status.product == .tapsigner && !session.status.isSetUp)
            #expect(session.status.appletVersion.description == version.rawValue)
            #expect(session.status.isTestnet == isOdd)
            #expect(try session.status.ident.text == card.record.ident)
            #expect(try session.proveCard(customRoots: []).verdict == .unknown(root: root))
            #expect(try session.proveCard(customRoots: [root]).verdict == .custom(root: root))
            try session.createKey(chainCode: chainCode, cvc: oldCVC)
            let master = try session.setPath(DerivationPath(), cvc: oldCVC)
            #expect(master.key.chainCode == chainCode && master.masterFingerprint == master.key.fingerprint)
            try session.probe(master.key, cvc: oldCVC)
            #expect(throws: TapError.card(CardError(number: 425, text: "backup first"), command: "change")) {
                try session.changeCVC(from: oldCVC, to: newCVC)
            }
        }
        let account = try await tap.perform { session in
            let account = try session.setPath(path, cvc: oldCVC).key
            #expect(try session.extendedPublicKey(master: false, cvc: oldCVC) == account)
            try session.probe(account, cvc: oldCVC)
            #expect(session.status.path == path)
            return account
        }
        try await tap.perform { session in
            let backup = try Backup(decrypting: try session.backup(cvc: oldCVC), key: backupKey)
            #expect(backup.belongs(to: try session.extendedPublicKey(master: true, cvc: oldCVC)))
            #expect(backup.masterKey.chainCode == chainCode)
            #expect(backup.path == path)
            #expect(try backup.masterKey.descendant(path).neutered.publicKey == account.publicKey)
            #expect(session.status.backupCount == 1)
            try session.changeCVC(from: oldCVC, to: newCVC)
        }
        #expect(try await error { try await tap.perform { try $0.test(oldCVC) } } == .wrongCVC(.atMost(2)))
        try await tap.perform { try $0.test(newCVC) }
        let subpath = try DerivationPath(parsing: "1/7")
        let signed = try await tap.perform { try $0.sign(digest: digest, subpath: subpath, cvc: newCVC) }
        #expect(signed.publicKey == (try account.descendant(subpath).publicKey))
        #expect(signed.publicKey.isValid(signed.signature, for: digest))
        #expect(try await tap.perform { try $0.tapURL() }.hasPrefix("https://tapsigner.com/start#"))
    }

    @Test func oneExchangeForEachSignatureAndAFewBefore() async throws {
        let card = try await readyCard { $0.unluckyPercent = 30 }
        let reader = SimulatedReader(card: card)
        let tap = TapCard(reader: reader)
        let (count, oldCVC) = (40, oldCVC)
        let root = try card.record.rootKey
        let exchanges = try await tap.perform { session in
            _ = try session.proveCard(customRoots: [root]).verdict
            let account = try session.extendedPublicKey(master: false, cvc: oldCVC)
            for number in 0..<count {
                let digest = Digest(hashing: [UInt8(number)])
                let step = try #require(ChildNumber.normal(UInt32(number)))
                let signed = try session.sign(digest: digest, subpath: DerivationPath([step]), cvc: oldCVC)
                #expect(signed.publicKey == (try account.child(step).publicKey))
            }
            return session.exchangeCount
        }
        let signs = try #require(reader.exchangeCounts["sign"])
        #expect(signs > count)
        #expect(exchanges == signs + 4)
        #expect(exchanges == reader.exchangeCounts.values.reduce(0, +))
    }

    @Test func luckRunsOut() async throws {
        let card = try await readyCard { $0.unluckyPercent = 100 }
        let reader = SimulatedReader(card: card)
        let (digest, oldCVC) = (digest, oldCVC)
        let failure = try await error {
            try await TapCard(reader: reader).perform {
                try $0.sign(digest: digest, subpath: DerivationPath(), cvc: oldCVC)
            }
        }
        #expect(failure.code == .unluckyNumber)
        #expect(reader.exchangeCounts == ["select": 1, "sign": 11])
    }

    @Test func theSecurityDelayIsWaitedOff() async throws {
        let card = try await readyCard()
        let tap = TapCard(reader: SimulatedReader(card: card))
        let (oldCVC, newCVC) = (oldCVC, newCVC)
        let failures = try await tap.perform { session in
            try (0..<4).map { _ in try tapError { try session.test(newCVC) } }
        }
        #expect(
            failures == [
                .wrongCVC(.atMost(2)), .wrongCVC(.atMost(1)), .wrongCVC(.delayed(seconds: 15)),
                .rateLimited(seconds: 15),
            ])
        try await tap.perform { session in
            for left in (0..<15).reversed() { #expect(try session.wait() == left) }
            #expect(session.status.authDelaySeconds == 0)
            try session.test(oldCVC)
        }
    }

    @Test func aLossOfPowerAtAnyExchangeGoesUnnoticed() async throws {
        for number in 1...6 {
            let card = try await readyCard()
            let reader = SimulatedReader(
                card: card,
                interceptor: FunctionInterceptor(onAnswer: { _, exchange in
                    exchange.number == number ? .cutPower : .pass
                }))
            try await signStory(reader)
            #expect(reader.exchangeCounts["select"] == 2, "exchange \(number)")
        }
    }

    /// Seven exchanges on a card with a key.
    private func signStory(_ reader: SimulatedReader) async throws {
        let (digest, oldCVC, path) = (digest, oldCVC, path)
        let tap = TapCard(reader: reader)
        try await tap.perform { session in
            try session.probe(try session.setPath(path, cvc: oldCVC).key, cvc: oldCVC)
            _ = try session.sign(digest: digest, subpath: DerivationPath(), cvc: oldCVC)
            _ = try session.tapURL()
            _ = try session.sign(digest: digest, subpath: DerivationPath(), cvc: oldCVC)
        }
    }

    @Test(arguments: SinglePull.Moment.allCases)
    func aPulledCardSurfacesAndTheStoryCanBeToldAgain(moment: SinglePull.Moment) async throws {
        for number in 1...7 {
            let card = try await readyCard()
            let reader = SimulatedReader(card: card, interceptor: SinglePull(atExchange: number, moment))
            let failure = try await error { try await signStory(reader) }
            switch failure {
            case .reader(let lost): #expect(lost.isCardLost, "exchange \(number)")
            case .badResponse, .statusWord, .notATapCard: #expect(moment == .inAnswer, "exchange \(number): \(failure)")
            default: Issue.record("exchange \(number): \(failure)")
            }
            try reader.waitForCard(isPresent: true, timeout: .zero)
            try await signStory(reader)
        }
    }

    @Test func aSwappedCardIsRefused() async throws {
        let other = try card { $0.seed = [8] }
        for isNoticed in [true, false] {
            let card = try await readyCard()
            let reader = SimulatedReader(
                card: card,
                interceptor: FunctionInterceptor(onCommand: { exchange in
                    guard exchange.number == 4 else { return .pass }
                    return isNoticed ? .swap(other) : .swapUnnoticed(other)
                }))
            let tap = TapCard(reader: reader)
            let (oldCVC, digest, path) = (oldCVC, digest, path)
            let story: @Sendable (TapSession) throws -> Void = {
                try $0.setPath(path, cvc: oldCVC)
                _ = try $0.sign(digest: digest, subpath: DerivationPath(), cvc: oldCVC)
            }
            let expected = TapError.anotherCard(
                expected: CardIdent(of: try card.record.cardKey), found: CardIdent(of: try other.record.cardKey))
            if isNoticed { #expect(try await error { try await tap.perform(story) }.code == .cardRemoved) }
            #expect(try await error { try await tap.perform(story) } == expected)
            reader.insert(card)
            try await tap.perform(story)
        }
    }

    @Test func anotherProgramsCommandsBetweenTwoSteps() async throws {
        let card = try await readyCard()
        let reader = SimulatedReader(card: card)
        let tap = TapCard(reader: reader)
        let (oldCVC, digest) = (oldCVC, digest)
        let root = try card.record.rootKey
        for _ in 0..<3 {
            try await tap.perform { session in
                _ = try session.proveCard(customRoots: [root]).verdict
                _ = try session.sign(digest: digest, subpath: DerivationPath(), cvc: oldCVC)
            }
            // Another program's `check` changes the card's nonce behind our back.
            let check = try TapAPDU.command("check", arguments: ["nonce": .bytes([UInt8](0..<16))])
            #expect(card.process(apdu: check.encoded).suffix(2) == [0x90, 0x00])
        }
        #expect(card.record.wrongAttempts == 0)
    }

    @Test func aSatschipHasNoBackup() async throws {
        let card = try card(.satschip)
        let tap = TapCard(reader: SimulatedReader(card: card))
        let (chainCode, path, oldCVC, newCVC) = (chainCode, path, oldCVC, newCVC)
        let root = try card.record.rootKey
        try await tap.perform { session in
            #expect(session.status.product == .satschip && session.status.backupCount == nil)
            #expect(try session.proveCard(customRoots: [root]).verdict.isAccepted)
            try session.createKey(chainCode: chainCode, cvc: oldCVC)
            #expect(throws: TapError.notSupported(command: "backup", product: .satschip)) {
                try session.backup(cvc: oldCVC)
            }
            let account = try session.setPath(path, cvc: oldCVC)
            try session.changeCVC(from: oldCVC, to: newCVC)
            try session.probe(account.key, cvc: newCVC)
            #expect(try session.tapURL().hasPrefix("https://satschip.com/start#"))
        }
    }

    @Test(arguments: TapSimulator.AppletVersion.allCases, [0, 3, 9, 10])
    func aSatscardSaysWhatItIs(version: TapSimulator.AppletVersion, usedSlots: Int) async throws {
        for isBlank in [false, true] {
            let card = try card(.satscard) {
                $0.version = version
                $0.usedSlots = usedSlots
                $0.isBlank = isBlank
                $0.network = isBlank ? .test : .main
            }
            let root = try card.record.rootKey
            let tap = TapCard(reader: SimulatedReader(card: card))
            try await tap.perform { session in
                #expect(session.status.product == .satscard && session.status.slots?.total == 10)
                let proof = try session.proveCard(customRoots: [root])
                #expect(proof.verdict == .custom(root: root))
                #expect((proof.activeSlot == nil) == (session.status.address == nil))
                if let slot = proof.activeSlot {
                    #expect(session.status.address?.matches(slot.address) == true)
                    #expect(slot.address.description.hasPrefix(isBlank ? "tb1q" : "bc1q"))
                    #expect(try session.read() == slot.publicKey)
                    let seals: Set<ActiveSlot.Seal> = usedSlots == 10 ? [.absent, .unproven] : [.proven, .unproven]
                    #expect(seals.contains(slot.seal) && (slot.seal == .unproven) == (version == .v090))
                }
                #expect(try session.tapURL().hasPrefix("https://getsatscard.com/start#"))
                #expect(throws: TapError.notSupported(command: "xpub", product: .satscard)) {
                    try session.extendedPublicKey(master: true, cvc: oldCVC)
                }
            }
        }
    }
}
