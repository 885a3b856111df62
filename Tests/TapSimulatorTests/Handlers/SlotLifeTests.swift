import Bitcoin
import ByteCodec
import TestSupport
import Testing

@testable import TapSimulator

/// What a SATSCARD says in every state of its slots, on every version.
@Suite struct SlotLifeTests {
    /// A card with `used` opened slots; the next is sealed, or unused if `blank`.
    private func app(_ version: AppletVersion, used: Int, blank: Bool = false) throws -> AppSide {
        var options = SimulatedCardOptions(product: .satscard)
        options.version = version
        options.usedSlots = used
        options.isBlank = blank
        options.unluckyPercent = 0
        return try AppSide(options)
    }

    /// Runs after `status`, so that 0.9.0 does not fail for its nonce.
    private func code(_ app: AppSide, _ send: () throws -> CBORMap) throws -> UInt64? {
        _ = try app.send("status")
        return try send().errorCode
    }

    private static let everyState: [(used: Int, blank: Bool)] =
        (0...10).map { ($0, false) } + (0...9).map { ($0, true) }

    @Test(arguments: AppletVersion.allCases) func statusNamesTheActiveSlot(version: AppletVersion) throws {
        for (used, blank) in Self.everyState {
            let app = try app(version, used: used, blank: blank)
            let status = try app.send("status")
            let isEarly = version == .v090 || version == .v100
            let active = isEarly ? min(used, 9) : used
            #expect(status["slots"] == .array([.unsigned(UInt64(active)), .unsigned(10)]))
            let isSealed = !blank && used < 10
            #expect((status["addr"] != nil) == isSealed, "\(used) \(blank)")
            #expect(status["tampered"] == nil)
            #expect(status["path"] == nil && status["tapsigner"] == nil && status["num_backups"] == nil)
        }
    }

    @Test(arguments: AppletVersion.allCases) func dumpTellsEverySlot(version: AppletVersion) throws {
        for (used, blank) in Self.everyState {
            let app = try app(version, used: used, blank: blank)
            let addresses = try #require(try app.card.record.slots).map(\.address)
            for slot in 0..<10 {
                let number = CBORValue.unsigned(UInt64(slot))
                for withCVC in [false, true] {
                    let answer =
                        try withCVC
                        ? app.sendWithCVC("dump", ["slot": number]) : app.send("dump", ["slot": number])
                    var expected: Set<String> = ["slot", "card_nonce"]
                    #expect(answer["slot"] == number)
                    if slot < used, withCVC {
                        expected.formUnion(["privkey", "pubkey", "chain_code", "master_pk"])
                    } else if slot < used {
                        expected.formUnion(version == .v103 ? ["sealed", "addr", "pubkey"] : ["sealed", "addr"])
                        #expect(answer["sealed"] == .bool(false))
                        #expect(answer["addr"]?.string == addresses[slot])
                    } else if slot == used, !blank {
                        expected.insert("sealed")
                        #expect(answer["sealed"] == .bool(true))
                    } else {
                        expected.insert("used")
                        #expect(answer["used"] == .bool(false))
                    }
                    #expect(Set(answer.pairs.map(\.key)) == expected, "\(used) \(blank) \(slot) \(withCVC)")
                }
            }
            for slot in [10, 255] {
                let number = CBORValue.unsigned(UInt64(slot))
                #expect(try code(app) { try app.send("dump", ["slot": number]) } == 400)
            }
            #expect(try code(app) { try app.send("dump") } == 400)
            for bad in [CBORValue.unsigned(256), .negative(offset: 0), .text("0"), .null, .bytes([0])] {
                #expect(try code(app) { try app.send("dump", ["slot": bad]) } == 400)
            }
        }
    }

    /// A wrong CVC is an error though none would do; half the fields are none.
    @Test(arguments: AppletVersion.allCases) func dumpFailsWithAWrongCVC(version: AppletVersion) throws {
        let app = try app(version, used: 1)
        app.cvc = app.card.record.cvc == "000000" ? "111111" : "000000"
        #expect(try code(app) { try app.sendWithCVC("dump", ["slot": .unsigned(0)]) } == 401)
        #expect(app.card.record.wrongAttempts == 1)
        app.cvc = app.card.record.cvc
        for missing in ["epubkey", "xcvc"] {
            var half = try app.authenticated("dump", ["slot": .unsigned(0)])
            half[missing] = nil
            let answer = try app.send("dump", half)
            #expect(answer["sealed"] == .bool(false) && answer["privkey"] == nil)
        }
    }

    @Test(arguments: AppletVersion.allCases) func readAndDeriveNeedASealedSlot(version: AppletVersion) throws {
        for (used, blank) in Self.everyState {
            let app = try app(version, used: used, blank: blank)
            let expected: UInt64? = !blank && used < 10 ? nil : 406
            for command in ["read", "derive"] {
                #expect(try code(app) { try app.sendWithNonce(command) } == expected, "\(command) \(used) \(blank)")
                guard expected == nil else { continue }
                let weak: CBORMap = ["nonce": .bytes([UInt8](repeating: 7, count: 16))]
                #expect(try code(app) { try app.send(command, weak) } == 417)
            }
            guard expected == nil else { continue }
            _ = try app.send("status")
            let read = try app.sendWithNonce("read")
            let key = try PublicKey(read.content("pubkey"))
            let signature = try #require(ECDSASignature(compact: try read.content("sig")))
            #expect(key.isValid(signature, for: app.digest(rest: [UInt8(used)])))
        }
    }

    @Test(arguments: AppletVersion.allCases) func checkCoversTheSealedSlotOnly(version: AppletVersion) throws {
        for (used, blank) in Self.everyState {
            let app = try app(version, used: used, blank: blank)
            let key = try #require(app.cardKey)
            var slotKey: [UInt8] = []
            if !blank, used < 10 { slotKey = try app.sendWithNonce("read").content("pubkey") }
            let signature = try #require(
                ECDSASignature(compact: try app.sendWithNonce("check").content("auth_sig")))
            #expect(key.isValid(signature, for: app.digest(rest: version == .v090 ? [] : slotKey)))
            let isOther = version == .v090 || slotKey.isEmpty
            #expect(key.isValid(signature, for: app.digest(rest: [])) == isOther)
        }
    }

    @Test(arguments: AppletVersion.allCases) func newNeedsAnUnusedSlot(version: AppletVersion) throws {
        for (used, blank) in Self.everyState {
            let app = try app(version, used: used, blank: blank)
            let slot = CBORMap.slot(used)
            let isFull = used == 10
            // Another slot than the next one; on a full card there is none.
            #expect(try code(app) { try app.sendWithCVC("new", .slot(used + 1)) } == (isFull ? 405 : 400))
            if used > 0 {
                #expect(try code(app) { try app.sendWithCVC("new", .slot(used - 1)) } == (isFull ? 405 : 400))
                // Without a number the slot is 0.
                #expect(try code(app) { try app.sendWithCVC("new") } == (isFull ? 405 : 400))
            }
            for length in [0, 31, 33] {
                var short = slot
                short["chain_code"] = .bytes([UInt8](repeating: 3, count: length))
                #expect(try code(app) { try app.sendWithCVC("new", short) } == 400)
            }
            let before = try app.card.record.slots
            let expected: UInt64? = isFull ? 405 : !blank ? 406 : used == 0 ? 400 : nil
            #expect(try code(app) { try app.sendWithCVC("new", slot) } == expected)
            if expected != nil { #expect(try app.card.record.slots == before) }
        }
    }

    @Test(arguments: AppletVersion.allCases) func onlyTheSealedActiveSlotIsUnsealed(version: AppletVersion) throws {
        for (used, blank) in Self.everyState {
            let app = try app(version, used: used, blank: blank)
            let isEarly = version == .v090 || version == .v100
            let active = isEarly ? min(used, 9) : used
            for slot in 0...10 where slot != active {
                #expect(try code(app) { try app.sendWithCVC("unseal", .slot(slot)) } == 400, "\(used) \(slot)")
            }
            #expect(try code(app) { try app.sendWithCVC("unseal") } == 400)
            let before = try app.card.record.slots
            let expected: UInt64? = !blank && used < 10 ? nil : 406
            #expect(try code(app) { try app.sendWithCVC("unseal", .slot(active)) } == expected)
            #expect((try app.card.record.slots == before) == (expected != nil))
        }
    }

    @Test(arguments: AppletVersion.allCases) func signNeedsAnOpenedSlot(version: AppletVersion) throws {
        let digest = Digest(hashing: [9])
        for (used, blank) in Self.everyState {
            let app = try app(version, used: used, blank: blank)
            for slot in [0, used - 1, used, used + 1, 9, 10] where slot >= 0 {
                let expected: UInt64? = slot > 9 ? 400 : slot < used ? nil : 406
                let answer = try code(app) {
                    try app.sendWithCVC("sign", .slot(slot), hidden: ["digest": digest.bytes])
                }
                #expect(answer == expected, "\(used) \(blank) \(slot)")
            }
        }
    }

    /// `unseal` gives the master key plain, `dump` hides it; both belong to the slot's key.
    @Test(arguments: AppletVersion.allCases) func masterKeysArePlainOrHidden(version: AppletVersion) throws {
        let app = try app(version, used: 0)
        let opened = try app.sendWithCVC("unseal", .slot(0))
        let plain = try opened.content("master_pk")
        let dumped = try app.sendWithCVC("dump", .slot(0))
        #expect(app.reveal(try dumped.content("master_pk")) == plain)
        let picked = PickedKey(
            masterKey: try PrivateKey(SecretBytes(plain)), chainCode: try opened.content("chain_code"))
        #expect(try picked.slotKey(.main).publicKey.bytes == opened.content("pubkey"))
    }

    /// From the first slot to the last, and what is left then.
    @Test(arguments: AppletVersion.allCases) func aCardIsUsedUp(version: AppletVersion) throws {
        let app = try app(version, used: 0)
        var keys: Set<[UInt8]> = []
        for slot in 0..<10 {
            if slot > 0 {
                let made = try app.sendWithCVC("new", .slot(slot))
                #expect(made["slot"] == .unsigned(UInt64(slot)))
            }
            let read = try app.sendWithNonce("read")
            let opened = try app.sendWithCVC("unseal", .slot(slot))
            let secret = app.reveal(try opened.content("privkey"))
            #expect(try PrivateKey(SecretBytes(secret)).publicKey.bytes == read.content("pubkey"))
            #expect(keys.insert(secret).inserted)
        }
        #expect(try code(app) { try app.sendWithCVC("new", .slot(9)) } == 405)
        #expect(try code(app) { try app.sendWithCVC("new", .slot(10)) } == 405)
        #expect(try code(app) { try app.sendWithNonce("check") } == nil)
        let url = try app.send("nfc").string("url")
        #expect(url.contains("u=U&o=9&"))
        for slot in 0..<10 {
            _ = try app.send("status")
            let dumped = try app.sendWithCVC("dump", .slot(slot))
            #expect(keys.contains(app.reveal(try dumped.content("privkey"))))
        }
    }
}

extension CBORMap {
    /// Arguments that name a slot, counted from 0.
    static func slot(_ number: Int) -> CBORMap { ["slot": .unsigned(UInt64(max(0, number)))] }
}
