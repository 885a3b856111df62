import Bitcoin
import TestSupport
import Testing

/// Every row of the examples in BIP-21 and BIP-321, of other projects' tests, and of the computed amounts.
@Suite struct PaymentURIVectorTests {
    private static func rows(_ kind: String) throws -> [VectorRow] {
        let rows = try Vectors.load("bip21/bip21.json")
        #expect(
            rows.countsByKind == ["uri": 25, "uri_invalid": 13, "pop": 6, "uri_tolerated": 3, "amount": 18])
        return rows.filter { $0.kind == kind }
    }

    @Test func validURIsAreRead() throws {
        var amounts = 0
        for row in try Self.rows("uri") {
            let uri = try PaymentURI(parsing: try row.text("uri"))
            #expect(uri.addressText == row["address"], "\(row.testDescription)")
            #expect(uri.label == row["label"] && uri.message == row["message"], "\(row.testDescription)")
            let parameters = try #require(row["parameters", as: [[String]].self])
            #expect(uri.parameters.map { [$0.key, $0.value] } == parameters.map { [$0[0], $0[1]] })
            if row["amount", as: String.self] == nil {
                #expect(uri.amount == nil)
            } else {
                #expect(uri.amount?.satoshis == Int64(try row.number("amount_sat")))
                amounts += 1
            }
        }
        #expect(amounts == 9)
    }

    /// The addresses that the BIPs print have a wrong checksum on purpose: reading the URI does not make them payable.
    @Test func onlyTheChecksumMakesAnAddressPayable() throws {
        var payable = 0
        for row in try Self.rows("uri") {
            let uri = try PaymentURI(parsing: try row.text("uri"))
            guard let text: String = row["address"] else { continue }
            if try row.flag("address_checksum_valid") {
                #expect(try uri.addresses(on: .main).map(\.description) == [text])
                payable += 1
            } else {
                #expect(throws: AddressError.self, "\(row.testDescription)") { try uri.addresses(on: .main) }
            }
        }
        #expect(payable == 10)
    }

    @Test func validURIsAreWrittenAsTheyWere() throws {
        var unchanged = 0
        for row in try Self.rows("uri") {
            let text = try row.text("uri")
            let uri = try PaymentURI(parsing: text)
            #expect(try PaymentURI(parsing: uri.description) == uri)
            #expect(try PaymentURI(parsing: uri.qrText).parameters == uri.parameters)
            // The scheme is written in lower case, and no lonely question mark is.
            let expected = "bitcoin:" + text.dropFirst(8)
            #expect(uri.description == (text.hasSuffix("?") ? String(expected.dropLast()) : expected))
            unchanged += uri.description == text ? 1 : 0
        }
        #expect(unchanged == 18)
    }

    @Test func invalidURIsAreRefusedForTheirReason() throws {
        for row in try Self.rows("uri_invalid") {
            let error = #expect(throws: PaymentURIError.self, "\(row.testDescription)") {
                try PaymentURI(parsing: try row.text("uri"))
            }
            let unknown: [String] = row["unknown_required"] ?? []
            let isNamed =
                switch (try row.text("reason"), error) {
                case ("scheme", .notBitcoinScheme), ("amount", .amount(.notDecimal)),
                    ("label_twice", .repeatedParameter("label")), ("amount_twice", .repeatedParameter("amount")),
                    ("pop_twice", .repeatedParameter("pop")), ("testnet_address_in_bc", .addressUnderOtherKey("bc")):
                    true
                case ("unknown_required_parameter", .unknownRequiredParameters(let found)): found == unknown
                default: false
                }
            #expect(isNamed, "\(row.testDescription): \(String(describing: error))")
        }
    }

    /// Others take `bitcoin://`; here it is outside the grammar, and the text after it may be a host's name.
    @Test func whatOnlyOthersTolerateIsRefused() throws {
        for row in try Self.rows("uri_tolerated") {
            let text = try row.text("uri")
            #expect(throws: PaymentURIError.doubleSlash) { try PaymentURI(parsing: text) }
            // Nothing else is wrong with it.
            let uri = try PaymentURI(parsing: text.replacing("//", with: "", maxReplacements: 1))
            #expect(uri.addressText == (try row.text("address")))
            let options: [String: String] = try #require(row["options"])
            #expect(uri.parameters.count == options.count)
            for (key, value) in options {
                #expect(uri.parameters.contains { $0.key == key && $0.value == value })
            }
        }
    }

    @Test func proofsOfPaymentAreOpenedOrNotAsTheBIPSays() throws {
        var opened = 0
        for row in try Self.rows("pop") {
            let uri = try PaymentURI(parsing: try row.text("uri"))
            let proof = try #require(uri.proofOfPayment)
            if let expected: String = row["opened_prefix"] {
                #expect(proof.opening(paidWith: try row.text("paid_with")) == expected)
                #expect(uri.mayBePaid(openingProofs: false) && uri.mayBePaid(openingProofs: true))
                opened += 1
            } else {
                #expect(proof.opening(paidWith: "onchain") == nil)
                let mayBePaid = try row.text("action") == "pay_but_do_not_open"
                #expect(uri.mayBePaid(openingProofs: true) == mayBePaid)
                #expect(uri.mayBePaid(openingProofs: false) == mayBePaid)
            }
        }
        #expect(opened == 4)
    }

    @Test func amountsAreExactOrRefused() throws {
        var valid = 0
        for row in try Self.rows("amount") {
            let text = try row.text("uri")
            guard try row.flag("valid") else {
                let error = #expect(throws: PaymentURIError.self, "\(row.testDescription)") {
                    try PaymentURI(parsing: text)
                }
                let isInGrammar = try row.flag("matches_grammar")
                switch error {
                case .amount(.notDecimal): #expect(!isInGrammar)
                case .amount(.belowOneSatoshi), .amount(.aboveMaximum): #expect(isInGrammar)
                default: Issue.record("\(text): \(String(describing: error))")
                }
                continue
            }
            let uri = try PaymentURI(parsing: text)
            #expect(uri.amount?.satoshis == Int64(try row.number("amount_sat")), "\(text)")
            #expect(try uri.addresses(on: .main).count == 1)
            valid += 1
        }
        #expect(valid == 8)
    }
}
