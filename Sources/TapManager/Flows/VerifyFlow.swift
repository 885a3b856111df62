import Bitcoin
import ExplainedErrors
import TapProtocol

/// Every proof that a card can give: without its CVC the certificates, its own key and a SATSCARD's slot; with it the
/// keys for money.
package struct VerifyFlow: Sendable {
    private typealias Line = CardVerification.Line

    private let driver: CardDriver
    private let cvc: CVC?
    private let network: Network?

    /// A flow for one card, with its CVC if the keys for money are to be proven too.
    /// - Parameter network: the network whose address form is used; `nil`: the card's.
    package init(driver: CardDriver, cvc: CVC?, network: Network? = nil) {
        self.driver = driver
        self.cvc = cvc
        self.network = network
    }

    /// Asks for every proof.
    /// - Throws: `FlowError.card` for anything but a failed proof.
    package func run() async throws(FlowError) -> CardVerification {
        let proof: CardProof
        do throws(FlowError) { proof = try await driver.prove() } catch {
            return CardVerification(
                proofs: [try Self.failed(error)], verdict: nil, isSimulated: false, refusal: error)
        }
        let status = proof.status
        let isSimulated = driver.isSimulated(proof.verdict)
        var lines = [
            Line(.cardKey, "the card has the key that its certificates name"),
            chain(proof.verdict),
        ]
        if let slot = proof.activeSlot {
            lines += self.lines(about: slot, isCertified: proof.verdict.isAccepted)
        }
        if let count = status.backupCount { lines.append(Self.line(aboutBackups: count)) }
        if status.isTampered {
            lines.append(Line(tampered: "the card reports that it was tampered with"))
        }
        guard lines.allSatisfy(\.holds) else {
            return CardVerification(proofs: lines, verdict: proof.verdict, isSimulated: isSimulated)
        }
        var refusal: FlowError?
        do throws(FlowError) {
            if status.product == .satscard {
                lines += try await slots(proof)
            } else if status.isSetUp, cvc == nil {
                lines.append(
                    Line(unproven: .proof(.account), "its extended key and path; with the CVC, the key can be proven"))
            } else if let cvc, status.isSetUp {
                if status.authDelaySeconds > 0 { try await driver.waitOffSecurityDelay() }
                lines += try await keys(cvc)
            }
        } catch {
            lines.append(try Self.failed(error))
            refusal = error
        }
        return CardVerification(
            proofs: lines, verdict: proof.verdict, isSimulated: isSimulated, refusal: refusal)
    }

    private func chain(_ verdict: CertificateVerdict) -> Line {
        switch verdict {
        case .genuine: Line(.certificateChain, "certified by the maker's factory")
        case .custom(let key): Line(.certificateChain, "certified by your root \(key)")
        case .development:
            Line(.certificateChain, holds: false, "the maker's development card, not a genuine card")
        case .unknown(let key):
            Line(.certificateChain, holds: false, "certified by the unknown root \(key)")
        }
    }

    /// - Parameter isCertified: whether an accepted factory certified the card's own key. Only that makes the slot's key
    ///   the card's: whoever made the card may know it otherwise.
    private func lines(about active: ActiveSlot, isCertified: Bool) -> [Line] {
        let seal =
            switch active.seal {
            case .proven:
                Line(
                    .slotKey, isProven: isCertified,
                    "the card signed the key of slot \(active.slot) as the key of a sealed slot")
            case .unproven:
                Line(
                    unproven: .unprovenSlot,
                    "the card's version cannot prove that slot \(active.slot) is sealed, or that its key is the card's"
                )
            case .absent:
                Line(
                    unproven: .unprovenSlot, "the card did not sign the key of slot \(active.slot) as sealed")
            }
        let isProven = isCertified && active.seal == .proven
        return [
            Line(
                .readSignature, isProven: isProven, "the key of slot \(active.slot) signed a nonce from this machine"),
            Line(
                .address, isProven: isProven,
                "\(shown(active.address)) belongs to that key, and matches the start and the end that the card shows"),
            seal,
        ]
    }

    private static func line(aboutBackups count: Int) -> Line {
        let text = count == 0 ? "no backup was made" : "\(count.counted("backup was", "backups were")) made"
        return Line(unproven: .backupCount, "\(text), according to the card")
    }

    /// What follows from the key of a sealed slot; with the CVC, also from those of unsealed slots, which stay in the
    /// card.
    private func slots(_ proof: CardProof) async throws(FlowError) -> [Line] {
        let reports: [SlotReport]
        if cvc == nil {
            reports = try await driver.perform { try $0.activeSlotReport(proof, .looking).map { [$0] } ?? [] }
        } else {
            reports = try await SlotsFlow(driver: driver, cvc: cvc).all()
        }
        var lines: [Line] = []
        for report in reports {
            if report.state == .sealed {
                let (slot, isProven) = (report.slot, report.isSealProven)
                lines += [
                    Line(
                        .deriveSignature, isProven: isProven, "the master key of slot \(slot) signed its chain code"),
                    Line(
                        .masterKey, isProven: isProven,
                        "the key of slot \(slot) is m/0 of that master key and chain code"),
                    Line(
                        .chainCode, isProven: isProven,
                        "the chain code of slot \(slot) is the one that leads to its address"),
                ]
            } else if report.state == .unsealed, cvc != nil, let address = report.address {
                lines.append(
                    Line(
                        .openedSlot,
                        "the card signed random bytes with the key of slot \(report.slot), which is unsealed: "
                            + "\(shown(address))"
                    ))
            }
        }
        let opened = proof.status.slots.map { min($0.active, $0.total) } ?? 0
        if cvc == nil, opened > 0 {
            lines.append(
                Line(
                    unproven: .openedSlots,
                    "what the card reports about its \(opened.counted("unsealed slot")); with the CVC, it can be proven"
                )
            )
        }
        return lines
    }

    /// The keys for money, each proven anew; the card is moved back to its path.
    private func keys(_ cvc: CVC) async throws(FlowError) -> [Line] {
        let prover = AccountProver(journal: driver.journal, cvc: cvc, asksAnew: true)
        let account = try await driver.perform { session in
            try prover.atHome(on: session, telling: driver.events) { home, key in
                let master = try prover.masterKey(on: session, home: home, homeKey: key)
                return Account(masterFingerprint: master.fingerprint, path: home, key: key)
            }
        }
        let isProven = cvc.isShortEnoughForProofs
        let weak =
            isProven
            ? []
            : [
                Line(
                    unproven: .cvcLength,
                    "its CVC is longer than \(CVC.longestForProofs) digits: anyone who knows it can make the "
                        + "signatures of the account and the master key in the card's place")
            ]
        return weak + [
            Line(
                .account, isProven: isProven,
                "the card signed random bytes with a key below its extended key, so key and chain code are its own: "
                    + account.key.text),
            Line(
                .masterKey, isProven: isProven,
                "moved to m, the card signed random bytes with a key below its master key, so chain code and "
                    + "fingerprint \(account.masterFingerprint) are its own"),
            Line(
                unproven: .proof(.path),
                "the hardened path \(account.path) of this extended key: no command proves it; only the decrypted "
                    + "backup does"
            ),
        ]
    }

    /// An address in the form of the requested network.
    private func shown(_ address: Address) -> Address { network.map { address.written(for: $0) } ?? address }

    private static func failed(_ error: FlowError) throws(FlowError) -> Line {
        guard case .card(.badProof(let proof, let detail)) = error else { throw error }
        return Line(proof, holds: false, detail)
    }
}
