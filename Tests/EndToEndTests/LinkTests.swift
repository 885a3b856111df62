import Foundation
import TestSupport
import Testing

/// `tapkit url` and `tapkit url verify`.
@Suite struct LinkTests {
    /// No reader, no PC/SC service, nothing configured.
    private static let offline = Workshop.nothing.merging([
        "PCSCLITE_CSOCK_NAME": "/nonexistent/pcscd.comm", "TAPKIT_READER": "pcsc:no such reader",
    ]) { $1 }

    /// A SATSCARD's CVC has six digits.
    private static let printedCVC = ["--cvc", "482913"]

    private func verify(_ arguments: String..., input: String = "") async throws -> Subprocess {
        try await Subprocess.run(
            Subprocess.tapkit, ["url", "verify"] + arguments, input: Data(input.utf8), environment: Self.offline)
    }

    private func rows(_ kind: String) throws -> [VectorRow] { try Vectors.load("coinkite/cktap.json", kinds: [kind]) }

    @Test func publishedLinksWithoutAReader() async throws {
        for row in try rows("url") {
            let answer = try await verify(try row.text("url"), "--json").succeeded().json()
            #expect(try answer.field("valid", as: Bool.self))
            #expect(try answer.text("state") == row.text("state"))
            #expect(answer["address"] as? String == row["address"])
            #expect(answer["ident"] as? String == row["ident"])
            #expect(answer["slot"] as? Int == row["slot", as: Int.self].map { $0 + 1 })
            #expect(try answer.text("url") == row.text("url"))
            let isChip = try row.text("host").hasPrefix("satschip")
            #expect(try answer.text("product") == (isChip ? "satschip" : row.text("product").lowercased()))
        }
    }

    @Test func whatDoesNotVerifyIsRefused() async throws {
        for row in try rows("url_invalid") {
            try await verify(try row.text("url"), "--json").expectFailure(65, "bad_link")
        }
        for row in try rows("url_forged") {
            try await verify(try row.text("url"), "--json").expectFailure(76, "forged_link")
        }
        for text in ["", "hello", "https://getsatscard.com/start#"] {
            let run = try await verify(text, "--json")
            try run.expectFailure(65, "bad_link")
            #expect(try !run.hint().isEmpty)
        }
        let words = try await verify(try #require(try rows("url_forged").first).text("url"))
        #expect(words.status == 76 && words.text.isEmpty && words.errorText.contains("forged"))
    }

    @Test func standardInputWithRubbishAroundTheLink() async throws {
        let urls = try rows("url").map { try $0.text("url") }
        let url = try #require(urls.first)
        let wrapped = "Is this \"\(url.prefix(60))\n\(url.dropFirst(60))\"?\n"
        #expect(try await verify("-", "--json", input: wrapped).succeeded().json().text("url") == url)
        try await verify("-", "--json", input: urls.joined(separator: "\n")).expectFailure(65, "bad_link")
        try await verify("-", "--json", input: "").expectFailure(65, "bad_link")
        try await verify("-", "--json", input: String(repeating: "a", count: 70_000)).expectFailure(
            65, "input_too_large")
        let escape = try await verify("-", input: "https://\u{1B}[31mexample.com/start#\u{1B}[0m u=\u{1B}")
        #expect(escape.status == 65 && !escape.errorText.contains("\u{1B}"))
    }

    @Test func peopleAreToldWhatALinkDoesNotProve() async throws {
        for row in try rows("url") {
            let words = try await verify(try row.text("url")).succeeded().text
            #expect(words.contains(try row["address"] ?? row.text("ident")))
            #expect(words.contains("Not proven") && words.contains("again and again"))
            let isToBePaidTo = try row["address"] as String? != nil && row.text("state") == "sealed"
            #expect(words.contains("tapkit address") == isToBePaidTo)
            #expect(words.contains("Do not pay to this address") == (try row.text("state") == "unsealed"))
        }
    }

    @Test func theLinkHasToBeNamed() async throws {
        try await verify("--json").expectFailure(64, "usage")
    }

    @Test(arguments: [
        (["--product", "tapsigner"], "unused", Int?.none), (["--product", "satschip"], "unused", nil),
        (["--product", "satscard"], "sealed", 1), (["--product", "satscard", "--used-slots", "4"], "sealed", 5),
        (["--product", "satscard", "--used-slots", "4", "--blank"], "unsealed", 4),
        (["--product", "satscard", "--used-slots", "10", "--applet", "0.9.0"], "unsealed", 10),
        (["--product", "satscard", "--used-slots", "10", "--applet", "1.0.3"], "unsealed", 10),
    ])
    func theCardsOwnLink(options: [String], state: String, slot: Int?) async throws {
        let workshop = try await Workshop(isSetUp: false, options + (slot == nil ? [] : Self.printedCVC))
        let own = try await workshop.tapkit("url", "--json").succeeded().json()
        let offline = try await verify(try own.text("url"), "--json").succeeded().json()
        #expect(try own.text("product") == options[1])
        #expect(try own.text("state") == state)
        #expect(own["slot"] as? Int == slot)
        #expect(own["ident"] as? String == (slot == nil ? workshop.ident : nil))
        #expect(own["source"] as? String == "command")
        for key in Set(own.keys).union(offline.keys).subtracting(["source"]) {
            #expect("\(own[key] ?? "")" == "\(offline[key] ?? "")", "\(key)")
        }
        let words = try await workshop.tapkit("url").succeeded()
        #expect(words.text.hasPrefix("https://") && words.text.filter { $0 == "\n" }.count == 1)
        try await verify(words.text, "--json").succeeded()
    }

    @Test func aSetUpSignersLinkIsSealed() async throws {
        let workshop = try await Workshop()
        let own = try await workshop.tapkit("--json", "url").succeeded().json()
        #expect(try own.text("state") == "sealed" && own.text("ident") == workshop.ident)
    }

    @Test func aCardWithNothingToSign() async throws {
        let workshop = try await Workshop(isSetUp: false, ["--product", "satscard", "--blank"] + Self.printedCVC)
        let own = try await workshop.tapkit("url", "--json").succeeded().json()
        #expect(try own.text("url") == "https://getsatscard.com/start#")
        #expect(try !own.field("valid", as: Bool.self))
        let words = try await workshop.tapkit("url").succeeded()
        #expect(words.text == "https://getsatscard.com/start#\n" && words.errorText.contains("proves nothing"))
    }
}
