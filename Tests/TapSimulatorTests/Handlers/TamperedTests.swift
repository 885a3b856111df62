import Bitcoin
import ByteCodec
import TestSupport
import Testing

@testable import TapSimulator

/// Cards that found something wrong with themselves.
@Suite struct TamperedTests {
    private func app(_ product: SimulatedProduct, _ change: (inout SimulatedCardOptions) -> Void = { _ in }) throws
        -> AppSide
    {
        var options = SimulatedCardOptions(product: product)
        options.isTampered = true
        options.unluckyPercent = 0
        change(&options)
        return try AppSide(options)
    }

    private func letter(_ app: AppSide) throws -> String? {
        let fragment = try app.send("nfc").string("url").split(separator: "#").last
        return fragment?.split(separator: "&").first { $0.hasPrefix("u=") }.map { String($0.dropFirst(2)) }
    }

    @Test(arguments: SimulatedProduct.allCases) func everyoneIsTold(product: SimulatedProduct) throws {
        let app = try app(product)
        #expect(try app.send("status")["tampered"] == .bool(true))
        #expect(try letter(app) == "E")
        #expect(app.card.record.isTampered)
        let honest = try AppSide(SimulatedCardOptions(product: product))
        #expect(try honest.send("status")["tampered"] == nil)
        #expect(try letter(honest) != "E")
    }

    @Test(arguments: AppletVersion.allCases, [0, 3, 9]) func theSlotOpenedItself(
        version: AppletVersion, used: Int
    ) throws {
        let app = try app(.satscard) {
            $0.version = version
            $0.usedSlots = used
        }
        #expect(try app.send("status")["addr"] == nil)
        for slot in 0...used {
            let dumped = try app.sendWithCVC("dump", .slot(slot))
            #expect(dumped["tampered"] == (slot == used ? .bool(true) : nil))
            #expect(dumped["privkey"] != nil)
            let open = try app.send("dump", .slot(slot))
            #expect(open["tampered"] == nil && open["sealed"] == .bool(false))
        }
        // The link shows the opened slot.
        #expect(try app.send("nfc").string("url").contains("u=E&o=\(used)&"))
    }

    @Test func aFullCardsLastSlotOpenedItself() throws {
        let app = try app(.satscard) { $0.usedSlots = 10 }
        #expect(try app.sendWithCVC("dump", .slot(9))["tampered"] == .bool(true))
        #expect(try app.sendWithCVC("dump", .slot(8))["tampered"] == nil)
    }

    @Test func aBlankCardHasNoSlotToOpen() throws {
        let app = try app(.satscard) {
            $0.usedSlots = 2
            $0.isBlank = true
        }
        #expect(try app.send("status")["tampered"] == .bool(true))
        #expect(try app.sendWithCVC("dump", .slot(1))["tampered"] == nil)
    }

    @Test func theNextSlotCanBeUsedAndTheCardStillSays() throws {
        let app = try app(.satscard)
        #expect(try app.sendWithCVC("new", .slot(1)).errorCode == nil)
        let status = try app.send("status")
        #expect(status["addr"] != nil && status["tampered"] == .bool(true))
    }

    /// The arguments that a SATSCARD of 0.9.0 must never get.
    @Test(arguments: AppletVersion.allCases) func aSubpathBreaksTheEarliestSatscards(version: AppletVersion) throws {
        let app = try app(.satscard) {
            $0.isTampered = false
            $0.version = version
            $0.usedSlots = 1
        }
        let bad: CBORMap = ["slot": .unsigned(0), "subpath": .array([])]
        var isBroken = version == .v090
        // Who does not know the CVC breaks nothing.
        app.cvc = app.card.record.cvc == "000000" ? "111111" : "000000"
        #expect(try app.sendWithCVC("sign", bad, hidden: ["digest": SHA256.hash([1])]).errorCode == 401)
        #expect(!app.card.record.isTampered)
        app.cvc = app.card.record.cvc
        _ = try app.send("status")
        #expect(try app.sendWithCVC("sign", bad, hidden: ["digest": SHA256.hash([1])]).errorCode == 400)
        #expect(app.card.record.isTampered == isBroken)
        _ = try app.send("status")
        isBroken = try app.sendWithCVC("dump", .slot(1))["tampered"] == .bool(true)
        #expect(isBroken == (version == .v090))
    }
}
