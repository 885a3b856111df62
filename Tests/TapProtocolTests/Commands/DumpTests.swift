import Bitcoin
import ByteCodec
import TestSupport
import Testing

@testable import TapProtocol

@Suite struct DumpTests {
    private let cvc: CVC
    /// Two opened slots, a sealed one, and seven unused ones.
    private let card: TestSatscard

    init() throws {
        cvc = try CVC(TestCard.cvc)
        card = try TestSatscard(active: 2)
    }

    private func open(
        _ card: TestSatscard? = nil, answer: @escaping (CBORMap) throws -> CBORMap
    ) throws -> OpenSession {
        try OpenSession(.map(try (card ?? self.card).status()), .computed(answer))
    }

    /// What the card says of a slot without a CVC.
    private func said(_ slot: Int, _ fields: CBORMap) -> (CBORMap) throws -> CBORMap {
        { _ in
            var map = fields
            map["slot"] = .unsigned(UInt64(slot))
            map["card_nonce"] = .bytes(TestCard.nonce(2))
            return map
        }
    }

    private func claim(_ slot: Int) throws -> CBORMap {
        ["sealed": .bool(false), "addr": .text(try card.address(slot))]
    }

    private func dump(_ slot: Int, _ fields: CBORMap, on card: TestSatscard? = nil, withCVC: Bool = false) throws
        -> SlotContent
    {
        try open(card, answer: said(slot, fields)).session.dump(
            SlotNumber(index: slot), cvc: withCVC ? cvc : nil)
    }

    @Test func whatACardSaysWithoutACVC() throws {
        for slot in 3..<10 {
            guard case .unused = try dump(slot, ["used": .bool(false)]) else {
                Issue.record("slot \(slot)")
                continue
            }
        }
        guard case .sealed = try dump(2, ["sealed": .bool(true)]) else {
            Issue.record("slot 2")
            return
        }
        for slot in 0..<2 {
            guard case .unsealed(let address, nil) = try dump(slot, try claim(slot)) else {
                Issue.record("slot \(slot)")
                continue
            }
            #expect(address.description == (try card.address(slot)))
            var named = try claim(slot)
            named["pubkey"] = .bytes(try card.key(slot).publicKey.bytes)
            guard case .unsealed(address, let key?) = try dump(slot, named) else {
                Issue.record("slot \(slot)")
                continue
            }
            #expect(key == (try card.key(slot).publicKey))
        }
    }

    @Test(arguments: [false, true], [false, true])
    func keysWithTheCVC(hidesMaster: Bool, isTampered: Bool) throws {
        let open = try open { [card] in
            var answer = try card.opened($0, slot: 1, hidesMaster: hidesMaster)
            if isTampered { answer["tampered"] = .bool(true) }
            return answer
        }
        guard case .opened(let opened) = try open.session.dump(SlotNumber(index: 1), cvc: cvc) else {
            Issue.record("Not opened.")
            return
        }
        #expect(opened.privateKey.publicKey == (try card.key(1).publicKey))
        #expect(opened.masterKey.publicKey == (try card.master(1).privateKey.publicKey))
        #expect(opened.address.description == (try card.address(1)))
        #expect(opened.isTampered == isTampered)
        #expect(open.session.knownKeys.slotKey(SlotNumber(index: 1)) == opened.publicKey)
    }

    /// What a slot's state may be follows from `status`; the last slot may be active and opened.
    @Test func statesThatContradictTheStatusFail() throws {
        for (active, isUsed) in [(2, true), (2, false), (9, true), (9, false), (10, false)] {
            var card = card
            (card.active, card.isUsed) = (active, isUsed)
            for slot in 0..<10 {
                let possible = Self.possibleStates(of: slot, active: active, isUsed: isUsed)
                for state in ["unused", "sealed", "unsealed", "opened"] {
                    let isPossible = possible.contains(state)
                    let outcome = Result { try dump(slot, saidToBe: state, on: card) }
                    switch outcome {
                    case .success: #expect(isPossible, "\(active) \(isUsed) \(slot) \(state)")
                    case .failure(TapError.badProof(.slotState, _)):
                        #expect(!isPossible, "\(active) \(isUsed) \(slot) \(state)")
                    case .failure(let error): Issue.record(error, "\(active) \(isUsed) \(slot) \(state)")
                    }
                }
            }
        }
    }

    private static func possibleStates(of slot: Int, active: Int, isUsed: Bool) -> Set<String> {
        if slot < active { return ["unsealed", "opened"] }
        if slot > active { return ["unused"] }
        return Set([isUsed ? "sealed" : "unused"]).union(slot == 9 ? ["unsealed", "opened"] : [])
    }

    private func dump(_ slot: Int, saidToBe state: String, on card: TestSatscard) throws -> SlotContent {
        switch state {
        case "unused": return try dump(slot, ["used": .bool(false)], on: card)
        case "sealed": return try dump(slot, ["sealed": .bool(true)], on: card)
        case "unsealed": return try dump(slot, try claim(slot), on: card)
        default:
            let open = try open(card) { try card.opened($0, slot: slot) }
            return try open.session.dump(SlotNumber(index: slot), cvc: cvc)
        }
    }

    @Test func fieldsThatContradictEachOther() throws {
        let bytes = CBORValue.bytes([UInt8](repeating: 1, count: 32))
        let key = CBORValue.bytes(try card.key(3).publicKey.bytes)
        let contradictions: [(Int, CBORMap, String)] = [
            (3, ["used": .bool(false), "sealed": .bool(true)], "sealed"),
            (3, ["used": .bool(false), "privkey": bytes], "privkey"), (3, ["used": .bool(true)], "sealed"),
            (3, ["used": .unsigned(0)], "used"), (2, ["sealed": .bool(true), "privkey": bytes], "privkey"),
            (2, ["sealed": .unsigned(1)], "sealed"), (2, [:], "sealed"), (1, ["sealed": .bool(false)], "addr"),
            (1, ["sealed": .bool(false), "addr": .unsigned(1)], "addr"),
            (1, ["sealed": .bool(false), "addr": .text("")], "addr"),
            (1, ["sealed": .bool(false), "addr": .text(TestSatscard.trimmed(try card.address(1)))], "addr"),
            (1, ["sealed": .bool(false), "addr": .text(String(repeating: "b", count: 91))], "addr"),
            (1, ["sealed": .bool(false), "addr": .text(try card.address(1)), "pubkey": bytes], "pubkey"),
            (1, ["sealed": .bool(false), "addr": .text(try card.address(1)), "pubkey": .null], "pubkey"),
            // A key that nobody asked for with a CVC, or that of a sealed slot.
            (1, ["privkey": bytes, "pubkey": key], "privkey"),
        ]
        for (slot, fields, field) in contradictions {
            try expectBadResponse("dump", field) { try dump(slot, fields) }
        }
        try expectBadResponse("dump", "privkey") { try dump(1, try claim(1), withCVC: true) }
        try expectBadResponse("dump", "privkey") {
            try open { [card] in
                var answer = try card.opened($0, slot: 1)
                answer["sealed"] = .bool(true)
                return answer
            }.session.dump(SlotNumber(index: 1), cvc: cvc)
        }
    }

    /// What stands beside the word that says it all is not looked at.
    @Test func fieldsThatSayNothingMore() throws {
        let bytes = CBORValue.bytes([UInt8](repeating: 1, count: 32))
        let others: [(String, CBORValue)] = [
            ("addr", .text(try card.address(3))), ("pubkey", .bytes(try card.key(3).publicKey.bytes)),
            ("master_pk", bytes), ("chain_code", bytes), ("tampered", .bool(false)),
        ]
        for (name, value) in others + [("sealed", .bool(false))] {
            guard case .unused = try dump(3, ["used": .bool(false), name: value]) else {
                Issue.record("unused, with \(name)")
                continue
            }
        }
        for (name, value) in others + [("used", .bool(true))] {
            guard case .sealed = try dump(2, ["sealed": .bool(true), name: value]) else {
                Issue.record("sealed, with \(name)")
                continue
            }
        }
    }

    @Test func whatFollowsFromAnotherFieldMayBeMissing() throws {
        let key = try card.key(1).publicKey
        guard case .unsealed(let address, key?) = try dump(1, ["sealed": .bool(false), "pubkey": .bytes(key.bytes)])
        else {
            Issue.record("no address")
            return
        }
        #expect(address.description == (try card.address(1)))
        // As `read` and `status` have them: no answer to `dump`.
        for fields in [["addr": .text(try card.address(1))], ["pubkey": .bytes(key.bytes)]] as [CBORMap] {
            try expectBadResponse("dump", "sealed") { try dump(1, fields) }
        }
        let open = try open { [card] in
            var answer = try card.opened($0, slot: 1)
            (answer["pubkey"], answer["slot"]) = (nil, nil)
            return answer
        }
        guard case .opened(let opened) = try open.session.dump(SlotNumber(index: 1), cvc: cvc) else {
            Issue.record("Not opened.")
            return
        }
        #expect(opened.publicKey == key && opened.address == address)
    }

    @Test func addressesThatAreNotTheKeys() throws {
        var testnet = card
        testnet.isTestnet = true
        try expectBadResponse("dump", "addr") {
            try dump(1, ["sealed": .bool(false), "addr": .text(try testnet.address(1))])
        }
        guard
            case .unsealed(let address, nil) = try dump(
                1, ["sealed": .bool(false), "addr": .text(try testnet.address(1))], on: testnet)
        else {
            Issue.record("Not unsealed.")
            return
        }
        #expect(address.description.hasPrefix("tb1q"))
        for other in [
            // P2WSH, P2TR, P2PKH, P2SH.
            "bc1qwqdg6squsna38e46795at95yu9atm8azzmyvckulcc7kytlcckxswvvzej",
            "bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr", "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2",
            "3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy",
        ] {
            try expectBadResponse("dump", "addr") { try dump(1, ["sealed": .bool(false), "addr": .text(other)]) }
        }
        var named = try claim(1)
        named["pubkey"] = .bytes(try card.key(0).publicKey.bytes)
        try expectFailure(of: .address) { try dump(1, named) }
    }

    @Test func keysThatContradictEarlierAnswers() throws {
        let earlier = try card.key(0).publicKey
        var named = try claim(1)
        named["pubkey"] = .bytes(try card.key(1).publicKey.bytes)
        for fields in [try claim(1), named] {
            let open = try open(answer: said(1, fields))
            open.session.knownKeys.learn(earlier, of: SlotNumber(index: 1))
            try expectFailure(of: .address) { try open.session.dump(SlotNumber(index: 1)) }
        }
        let open = try open { [card] in try card.opened($0, slot: 1) }
        open.session.knownKeys.learn(earlier, of: SlotNumber(index: 1))
        try expectFailure(of: .slotKey) { try open.session.dump(SlotNumber(index: 1), cvc: cvc) }
    }

    /// As for `unseal`, whose tests have them all.
    @Test func keysThatDoNotBelongTogether() throws {
        for (field, bytes, proof) in [
            ("privkey", [UInt8](repeating: 7, count: 32), Proof.openedKey),
            ("pubkey", try card.key(0).publicKey.bytes, .openedKey),
            ("chain_code", [UInt8](repeating: 7, count: 32), .masterKey),
            ("master_pk", [UInt8](repeating: 7, count: 32), .masterKey),
        ] {
            let open = try open { [card] in
                var answer = try card.opened($0, slot: 1)
                answer[field] = .bytes(bytes)
                return answer
            }
            try expectFailure(of: proof) { try open.session.dump(SlotNumber(index: 1), cvc: cvc) }
        }
    }

    @Test func anotherSlotThanTheAskedOneFails() throws {
        let open = try open(answer: said(0, try claim(0)))
        try expectBadResponse("dump", "slot") { try open.session.dump(SlotNumber(index: 1)) }
    }

    @Test func slotsThatTheCardDoesNotHave() throws {
        for slot in [-1, 10, 255, Int.max, Int.min] {
            let open = try OpenSession(.map(try card.status()))
            try expectInvalidArgument("dump") { try open.session.dump(SlotNumber(index: slot)) }
            #expect(open.channel.commandNames == ["select"])
        }
        let signer = try OpenSession(.map(card.card.status()))
        #expect(throws: TapError.notSupported(command: "dump", product: .tapsigner)) {
            try signer.session.dump(SlotNumber(index: 0))
        }
    }

    /// `dump` picks a new nonce even when it refuses: before the next command, `status` is asked for it.
    @Test func aRefusalUsesUpTheNonce() throws {
        let open = try OpenSession(
            .map(try card.status()), .map(TestCard.refusal(406)), .map(try card.status(nonce: TestCard.nonce(7))),
            .computed { [card] in
                #expect(try card.card.cvc(in: $0, nonce: TestCard.nonce(7)) == TestCard.cvc)
                return try card.opened($0, slot: 1)
            })
        #expect(try tapError { try open.session.dump(SlotNumber(index: 1)) }.code == .cardError)
        _ = try open.session.dump(SlotNumber(index: 1), cvc: cvc)
        #expect(open.channel.commandNames == ["select", "dump", "status", "dump"])
    }
}
