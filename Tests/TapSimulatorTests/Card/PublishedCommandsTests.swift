import Bitcoin
import ByteCodec
import TestSupport
import Testing

@testable import TapSimulator

/// Every row of kind `command`: who knows it, what it wants, what it answers, on every product and version.
@Suite struct PublishedCommandsTests {
    /// A product with a version that it existed with.
    struct Model: Sendable, CustomTestStringConvertible {
        let product: SimulatedProduct
        let version: AppletVersion

        static let all = SimulatedProduct.allCases.flatMap { product in
            AppletVersion.allCases.map { Model(product: product, version: $0) }
        }

        var testDescription: String { "\(product.rawValue) \(version.rawValue)" }
        /// How the published rows call it.
        var published: String { product == .satscard ? "SATSCARD" : "TAPSIGNER" }

        /// A card in use: with a key, backed up; a SATSCARD with slot 0 opened and slot 1 sealed.
        func app() throws -> AppSide {
            var options = SimulatedCardOptions(product: product)
            options.version = version
            options.unluckyPercent = 0
            options.usedSlots = product == .satscard ? 1 : 0
            let app = try AppSide(options)
            if product != .satscard {
                _ = try app.sendWithCVC("new", ["chain_code": .bytes(LifeCycleTests.chainCode)])
            }
            if product == .tapsigner { _ = try app.sendWithCVC("backup") }
            return app
        }
    }

    /// Arguments with which a command works on a card in use, but for `cmd`, nonce and CVC fields.
    private func arguments(_ command: String, _ app: AppSide, _ model: Model) -> CBORMap {
        let isSatscard = model.product == .satscard
        switch command {
        case "sign":
            let hidden = CBORValue.bytes(app.reveal(LifeCycleTests.chainCode))
            return isSatscard ? ["slot": .unsigned(0), "digest": hidden] : ["digest": hidden, "subpath": .array([])]
        case "derive": return isSatscard ? [:] : ["path": .array([.unsigned(0x8000_0031)])]
        case "unseal": return ["slot": .unsigned(1)]
        case "dump": return ["slot": .unsigned(0)]
        case "change": return ["data": .bytes(app.reveal(Array(app.cvc.utf8)))]
        case "xpub": return ["master": .bool(false)]
        default: return [:]
        }
    }

    /// A whole request, right in everything.
    private func request(_ row: VectorRow, _ app: AppSide, _ model: Model) throws -> CBORMap {
        let command = try row.text("cmd")
        var request = try row.text("auth") == "none" ? [:] : app.authenticated(command)
        if try row.text("auth") == "TAPSIGNER", model.product == .satscard { request = [:] }
        for (key, value) in arguments(command, app, model).pairs { request[key] = value }
        if try row.objects("request").contains(where: { try $0.text("name") == "nonce" }) {
            request["nonce"] = .bytes([UInt8](0..<16))
        }
        return request
    }

    private func rows(_ model: Model) throws -> [VectorRow] {
        let rows = try VectorCard.rows("command")
        #expect(rows.count == 15)
        return try rows.filter { row in
            let products = try #require(row["products", as: [String].self])
            guard products.contains(model.published) else { return false }
            return try model.product != .satschip || row.text("cmd") != "backup"
        }
    }

    @Test(arguments: Model.all) func answersHaveThePublishedFields(model: Model) throws {
        for row in try rows(model) {
            let command = try row.text("cmd")
            // `new` has no work on a card in use; `NewTests` looks at it.
            guard command != "new" else { continue }
            let app = try model.app()
            let answer = try app.send(command, try request(row, app, model))
            #expect(answer.errorCode == nil, "\(row)")
            let fields = try row.objects("response")
            for field in fields {
                let name = try field.text("name")
                guard let value = answer[name] else {
                    let isOptional = try field.flag("optional")
                    #expect(isOptional, "\(command) lacks \(name)")
                    continue
                }
                #expect(try isOf(field, value), "\(command) \(name): \(value)")
            }
            let known = Set(try fields.map { try $0.text("name") })
            let surplus = Set(answer.pairs.map(\.key)).subtracting(known)
            let isEarlyCerts = command == "certs" && model.version == .v090
            #expect(surplus == (isEarlyCerts ? ["card_nonce"] : []), "\(command)")
        }
    }

    private func isOf(_ field: VectorRow, _ value: CBORValue) throws -> Bool {
        let type = try field.text("type")
        let lengths = field["length", as: String.self].map { $0.split(separator: ".").compactMap { Int($0) } } ?? []
        func fits(_ count: Int) -> Bool {
            guard let first = lengths.first, let last = lengths.last else { return true }
            return (first...last).contains(count)
        }
        switch value {
        case .bytes(let bytes): return type == "bytes" && fits(bytes.count)
        case .text(let text): return type == "text" && fits(text.utf8.count)
        case .unsigned: return type == "int"
        case .bool: return type == "bool"
        case .array(let items):
            if type == "array of bytes 65" { return items.count >= 2 && items.allSatisfy { $0.content?.count == 65 } }
            if type == "array of 2 int" { return items.count == 2 && items.allSatisfy { $0.number != nil } }
            return type == "array of int" && items.allSatisfy { $0.number != nil }
        default: return false
        }
    }

    /// Each argument left out, and each of a wrong type.
    @Test(arguments: Model.all) func argumentsAreAskedFor(model: Model) throws {
        var looked = 0
        for row in try rows(model) {
            let command = try row.text("cmd")
            let app = try model.app()
            let needsCVC = try row.text("auth") == "required" || row.text("auth") == model.published
            for field in try row.objects("request") {
                let name = try field.text("name")
                let isCVC = ["epubkey", "xcvc"].contains(name)
                guard try !isCVC || row.text("auth") == "optional" || needsCVC else { continue }
                _ = try app.send("status")
                var wrong = try request(row, app, model)
                if command == "derive", name == "path" { wrong["path"] = nil }
                wrong[name] = .text("x")
                #expect(try app.send(command, wrong).errorCode == 400, "\(command) with a wrong \(name)")
                looked += 1
                let isNeeded = try !field.flag("optional") && !(command == "derive" && name == "path")
                guard isNeeded || isCVC && needsCVC else { continue }
                _ = try app.send("status")
                var without = try request(row, app, model)
                without[name] = nil
                #expect(try app.send(command, without).errorCode == (isCVC ? 403 : 400), "\(command) without \(name)")
            }
            // What no command knows is ignored.
            guard command != "new" else { continue }
            _ = try app.send("status")
            var more = try request(row, app, model)
            more["surprise"] = .array([.null])
            #expect(try app.send(command, more).errorCode == nil, "\(command) with an unknown argument")
        }
        #expect(looked > 15)
    }

    @Test(arguments: Model.all) func theCVCIsAskedForAsPublished(model: Model) throws {
        for row in try rows(model) {
            let command = try row.text("cmd")
            let app = try model.app()
            var right = try request(row, app, model)
            right["epubkey"] = nil
            right["xcvc"] = nil
            let isNeeded = try row.text("auth") == "required" || row.text("auth") == model.published
            let error = try app.send(command, right).errorCode
            #expect(error == (isNeeded ? 403 : nil), "\(command) without CVC")
            _ = try app.send("status")
            app.cvc = "999999"
            let wrong = try app.authenticated(command, right)
            let isLookedAt = try isNeeded || row.text("auth") == "optional"
            #expect(try app.send(command, wrong).errorCode == (isLookedAt ? 401 : nil), "\(command) with a wrong CVC")
            #expect(app.card.record.wrongAttempts == (isLookedAt ? 1 : 0))
        }
    }
}
