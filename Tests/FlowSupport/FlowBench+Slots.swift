import Bitcoin
import ByteCodec
import TapManager
import TapProtocol
import TapSimulator
import TestSupport
import Testing

/// A SATSCARD on the bench.
extension FlowBench {
    /// A SATSCARD with so many opened slots; the next one is sealed, or with `isBlank` unused.
    package static func satscard(
        _ version: TapSimulator.AppletVersion = .newest, opened: Int = 0, isBlank: Bool = false,
        using generator: inout SeededGenerator, _ change: (inout SimulatedCardOptions) -> Void = { _ in }
    ) throws -> FlowBench {
        try FlowBench(.satscard, using: &generator) { options in
            options.version = version
            options.usedSlots = opened
            options.isBlank = isBlank
            change(&options)
        }
    }

    /// What became of the slots, the first one first.
    package func slots() throws -> [SimulatedCardRecord.Slot] { try #require(try record.slots) }

    /// The states of the slots alone.
    package func slotStates() throws -> [SimulatedCardRecord.Slot.State] { try slots().map { $0.state } }

    /// A slot's private key, 64 hexadecimal digits.
    package func slotKey(_ slot: SlotNumber) throws -> String? { try #require(try record.slotKeys)[slot.index] }

    /// The chain code under a slot's key.
    package func chainCode(_ slot: SlotNumber) throws -> ChainCode? {
        simulated.slotChainCode(at: slot.index).flatMap { ChainCode($0) }
    }

    /// Enters three wrong CVCs.
    package func enterWrongCVCs() async throws {
        let card = TapCard(reader: reader)
        for _ in 0..<3 {
            await #expect(throws: TapError.self) {
                try await card.perform { session in _ = try session.dump(SlotNumber(index: 0), cvc: CVC("999999")) }
            }
        }
        await card.disconnect()
        #expect(record.authDelay == 15)
        reader.resetCounts()
    }

    /// What a command does from its start to its end: looks at the card, then does the rest on the same line.
    package func command<Value: Sendable>(
        patience: Patience? = nil, roots: [PublicKey]? = nil, events: @escaping FlowEvents = { _ in },
        _ body: (CardStatus, CardDriver) async throws -> Value
    ) async throws -> Value {
        let card = TapCard(reader: reader, trace: trace)
        do {
            let status = try await card.perform { $0.status }
            let roots = try roots ?? [try SimulatedFactory.standard.rootKey]
            let driver = CardDriver(
                card: card, ident: status.ident, patience: patience, customRoots: roots,
                journal: .inMemory(of: status.ident), events: events)
            let value = try await body(status, driver)
            await card.disconnect()
            return value
        } catch {
            await card.disconnect()
            throw error
        }
    }

    /// The slots as `tapkit slots` shows them.
    package func reports(cvc: String? = nil) async throws -> [SlotReport] {
        try await command { try await SlotsFlow(driver: $1, cvc: cvc.map { try CVC($0) }).all() }
    }

    /// The slots as `tapkit slots --show-keys` shows them.
    package func reportsWithKeys(cvc: String = FlowBench.cvc) async throws -> [SlotReport] {
        try await command { try await SlotsFlow(driver: $1, takingKeysWith: CVC(cvc)).all() }
    }

    /// One slot as `tapkit address` shows it.
    package func report(_ slot: SlotNumber? = nil, cvc: String? = nil) async throws -> SlotReport {
        try await command { try await SlotsFlow(driver: $1, cvc: cvc.map { try CVC($0) }).one(slot) }
    }

    /// Opens a slot as `tapkit unseal` does.
    package func unseal(
        cvc: String = FlowBench.cvc, patience: Patience? = nil
    ) async throws -> UnsealedSlot {
        try await command(patience: patience) {
            try await UnsealFlow(driver: $1, cvc: CVC(cvc)).run(UnsealPlan(for: $0))
        }
    }

    /// Sets a slot up as `tapkit setup` does.
    package func setUpNextSlot(
        chainCode: ChainCode, isNamed: Bool = false, cvc: String = FlowBench.cvc
    ) async throws -> NewSlot {
        try await command {
            try await NextSlotFlow(driver: $1, cvc: CVC(cvc), chainCode: chainCode, isChainCodeNamed: isNamed).run()
        }
    }

    /// Opened keys are the slot's own, and all that is shown of them fits.
    package func expectOwn(_ opened: OpenedSlot, _ comment: Comment? = nil) throws {
        #expect(opened.privateKey.secret.withBytes { Hex.encode(Array($0)) } == (try slotKey(opened.slot)), comment)
        #expect(opened.address.description == (try slots()[opened.slot.index].address), comment)
        #expect(opened.chainCode == (try chainCode(opened.slot)), comment)
        let key = try WalletImportFormat(parsing: opened.walletImportFormat)
        #expect(key.privateKey.publicKey == opened.publicKey, comment)
        #expect(key.network == (record.network == .test ? .test : .main), comment)
        #expect(opened.descriptor.hasPrefix("wpkh(\(opened.walletImportFormat))#"), comment)
    }
}

/// What a flow must fail with.
package func expectFailure<Value>(
    _ comment: Comment? = nil, sourceLocation: SourceLocation = #_sourceLocation, _ body: () async throws -> Value
) async -> FlowError? {
    do {
        _ = try await body()
        Issue.record(comment ?? "did not fail", sourceLocation: sourceLocation)
        return nil
    } catch let error as FlowError {
        return error
    } catch let error as TapError {
        return .card(error)
    } catch {
        Issue.record("\(error)", sourceLocation: sourceLocation)
        return nil
    }
}

extension FlowError {
    /// Which proof failed.
    package var failedProof: Proof? { if case .card(.badProof(let proof, _)) = self { proof } else { nil } }

    /// Whether the card said that the CVC is wrong.
    package var isWrongCVC: Bool { if case .card(.wrongCVC) = self { true } else { false } }
}

extension FlowJournal {
    /// A journal that nobody reads again.
    package static func inMemory(of card: CardIdent) -> FlowJournal {
        FlowJournal(store: MemoryStore(), card: card) { UnixTime(seconds: 0) }
    }
}
