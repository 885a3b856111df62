import Bitcoin
import ByteCodec
import LyingCards
import SmartCard
import TapSimulator
import Testing

@testable import TapProtocol

/// The threats page, "The reader, the cable, another program", in its order.
@Suite struct ReaderAndCableTests {
    // MARK: Altered bytes

    /// One of each kind; `FlipMatrixTests` has them all, and the list of fields without proof.
    @Test func alteredBytes() throws {
        let lies: [(Lie, Proof)] = [
            (.flip("sig", bit: 300), .readSignature), (.xor("sig", at: 63, with: 0xFF), .readSignature),
            (.set("pubkey", .bytes(try TestCard().key.publicKey.bytes)), .readSignature),
        ]
        for (lie, proof) in lies {
            let bench = try ThreatBench(.satscard, liar: Liar(when: .command("read"), tell: lie))
            try expectFailure(of: proof) { try bench.session().read() }
        }
        // A nonce without proof: the next command fails, and what it would have proven is not believed.
        let nonce = Liar(when: .command("read"), tell: .flip("card_nonce", bit: 5))
        try expectFailure(of: .cardKey) { try ThreatBench(.satscard, liar: nonce).proveCard() }
    }

    // MARK: Replay

    @Test func replays() throws {
        for (command, proof) in [
            ("read", Proof.readSignature), ("check", .cardKey), ("derive", .deriveSignature), ("unseal", .openedKey),
        ] {
            let first = try ThreatBench(.satscard)
            let session = try first.session()
            _ = try session.proveCard(customRoots: [])
            try session.proveSlotOrigin()
            _ = try session.unseal(cvc: first.cvc)
            let recorded = try #require(first.liar.exchanges.last { $0.name == command })

            // The same card another day, with new randomness on our side too.
            let replayed = try ThreatBench(
                .satscard, liar: Liar(when: .command(command), tell: .answer(recorded.answer)))
            let victim = try replayed.session()
            victim.random = ScriptedRandom([9, 9, 9])
            try expectFailure(of: proof) {
                _ = try victim.proveCard(customRoots: [])
                try victim.proveSlotOrigin()
                _ = try victim.unseal(cvc: replayed.cvc)
            }
        }
    }

    // MARK: Another process selecting, resetting, or sending commands between ours

    /// What another program may do at the card between two of our steps.
    private enum Intrusion: CaseIterable {
        case selects, checks, dumps, resets
    }

    @Test func anotherProcessBetweenTwoSteps() async throws {
        for intrusion in Intrusion.allCases {
            let bench = try ThreatBench(.satscard)
            let (cvc, root) = (bench.cvc, try bench.root)
            let tap = TapCard(reader: bench.reader)
            let key = try await tap.perform { try $0.proveCard(customRoots: [root]).activeSlot?.publicKey }
            for _ in 0..<3 {
                try intrude(intrusion, bench.card)
                #expect(try await tap.perform { try $0.read() } == key)
                try intrude(intrusion, bench.card)
                _ = try await tap.perform { try $0.dump(SlotNumber(index: 0), cvc: cvc) }
            }
            #expect(bench.card.record.wrongAttempts == 0, "\(intrusion)")
        }
    }

    private func intrude(_ intrusion: Intrusion, _ card: SimulatedCard) throws {
        switch intrusion {
        case .selects: _ = card.process(apdu: try TapAPDU.select().encoded)
        case .checks:
            let check = try TapAPDU.command("check", arguments: ["nonce": .bytes([UInt8](0..<16))])
            #expect(card.process(apdu: check.encoded).suffix(2) == [0x90, 0x00])
        case .dumps: _ = card.process(apdu: try TapAPDU.command("dump", arguments: ["slot": .unsigned(0)]).encoded)
        case .resets:
            card.powerOff()
            try card.powerOn()
        }
    }

    // MARK: A second card

    @Test(arguments: [false, true])
    func aSecondCard(isNoticed: Bool) async throws {
        let bench = try ThreatBench(.satscard)
        let other = try ThreatBench(.satscard) { $0.seed = [4] }.card
        let tap = TapCard(reader: bench.reader)
        let ident = try await tap.perform { $0.status.ident }
        bench.reader.interceptor = FunctionInterceptor(onCommand: { exchange in
            guard exchange.name == "read" else { return .pass }
            return isNoticed ? .swap(other) : .swapUnnoticed(other)
        })
        if isNoticed {
            await #expect(throws: TapError.self) { try await tap.perform { try $0.read() } }
            bench.reader.interceptor = nil
        }
        await #expect {
            try await tap.perform { try $0.read() }
        } throws: { error in
            guard case .anotherCard(ident, _)? = error as? TapError else { return false }
            return true
        }
    }

    // MARK: Bytes logged by a debugging pcscd

    @Test func whatALogShows() throws {
        let signer = try ThreatBench(.tapsigner)
        let session = try signer.session()
        let newCVC = try CVC("87654321")
        for number in 0..<8 {
            _ = try session.sign(
                digest: Digest(hashing: [UInt8(number % 2)]), subpath: DerivationPath(), cvc: signer.cvc)
            try session.test(signer.cvc)
            try session.probe(try session.extendedPublicKey(master: false, cvc: signer.cvc), cvc: signer.cvc)
        }
        try session.changeCVC(from: signer.cvc, to: newCVC)
        let satscard = try ThreatBench(.satscard)
        let slots = try satscard.session()
        let opened = try slots.unseal(cvc: satscard.cvc)
        for _ in 0..<4 { _ = try slots.dump(opened.slot, cvc: satscard.cvc) }

        let exchanges = signer.liar.exchanges + satscard.liar.exchanges
        let log = exchanges.flatMap { [$0.command, $0.answer] }.map { Hex.encode($0) }
        let secrets =
            [Array("123456".utf8), Array("87654321".utf8), SHA256.hash([0]), SHA256.hash([1])]
            + [opened.privateKey.secret.withBytes { Array($0) }]
        for secret in secrets { #expect(!log.contains { $0.contains(Hex.encode(secret)) }) }
        // Never one session key for two plaintexts, nor one hidden CVC twice.
        for (bench, fields) in [(signer, ["epubkey", "xcvc", "digest"]), (satscard, ["epubkey", "xcvc"])] {
            let requests = bench.liar.exchanges.compactMap { ScriptedChannel.map(in: $0.command) }
            for field in fields {
                let values = requests.compactMap { $0[field] }.map { String(describing: $0) }
                #expect(values.count >= 5 && Set(values).count == values.count, "\(field)")
            }
        }
    }
}
