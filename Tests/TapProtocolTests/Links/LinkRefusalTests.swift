import Bitcoin
import ByteCodec
import TestSupport
import Testing

@testable import TapProtocol

/// Links that no card makes, though somebody signed them.
@Suite struct LinkRefusalTests {
    private let key: PrivateKey
    private let signer: SignedLink
    private let slot: SignedLink

    init() throws {
        key = try PrivateKey(SecretBytes([UInt8](repeating: 7, count: 32)))
        signer = .signer(key)
        slot = .slot(key)
    }

    private func error(_ link: SignedLink, _ fields: [String]) throws -> TapLinkError? {
        var link = link
        link.fields = fields
        return linkError(try link.text)
    }

    @Test func whatIsSignedHereIsALink() throws {
        #expect(try TapLink(verifying: signer.text).ident == CardIdent(of: key.publicKey))
        #expect(try TapLink(verifying: slot.text).address?.description == SignedLink.address(of: key))
        let test = try TapLink(verifying: SignedLink.slot(key, network: .test).text)
        #expect(test.address?.description == SignedLink.address(of: key, .test) && test.address?.network == .test)
        for (letter, state) in [("S", TapLink.State.sealed), ("U", .unsealed), ("E", .error)] {
            #expect(try TapLink(verifying: SignedLink.slot(key, state: letter).text).state == state)
        }
        for (letter, state) in [("S", TapLink.State.sealed), ("U", .unused), ("E", .error)] {
            #expect(try TapLink(verifying: SignedLink.signer(key, state: letter).text).state == state)
        }
    }

    /// The maker leaves the order of all but the signature open; the signature is over the order that the card chose.
    @Test func anotherOrderIsAForgeryUnlessItIsTheSignedOne() throws {
        for link in [signer, slot] {
            let parts = try link.text.split(separator: "#")[1].split(separator: "&").map(String.init)
            var orders = 0
            for order in permutations(of: Array(parts.dropLast())) where order != Array(parts.dropLast()) {
                let text = "https://\(link.host)/start#\((order + parts.suffix(1)).joined(separator: "&"))"
                #expect(linkError(text) == .forged, "\(text)")
                orders += 1
            }
            #expect(orders == 23)
            for place in parts.indices.dropLast() {
                var order = parts
                order.insert(order.removeLast(), at: place)
                let text = "https://\(link.host)/start#\(order.joined(separator: "&"))"
                guard case .textAfterSignature = linkError(text) else {
                    Issue.record("\(text)")
                    continue
                }
            }
            var turned = link
            turned.fields.reverse()
            #expect(try TapLink(verifying: turned.text).publicKey == key.publicKey)
        }
    }

    private func permutations(of parts: [String]) -> [[String]] {
        guard parts.count > 1 else { return [parts] }
        return parts.indices.flatMap { index -> [[String]] in
            var rest = parts
            let first = rest.remove(at: index)
            return permutations(of: rest).map { [first] + $0 }
        }
    }

    @Test func fieldsAreThoseOfTheProduct() throws {
        // A later card may sign more than today's; it is signed with the rest.
        #expect(try error(signer, signer.fields + ["x=1"]) == nil)
        #expect(try error(signer, signer.fields + ["batch=7"]) == nil)
        #expect(try error(signer, signer.fields + ["T=1"]) == .unknownField("T"))
        #expect(try error(signer, signer.fields + ["%74=1"]) == .unknownField("%74"))
        #expect(try error(signer, signer.fields + ["=1"]) == .unknownField(""))
        #expect(try error(signer, signer.fields + ["u"]) == .notAPair("u"))
        #expect(try error(signer, signer.fields + [""]) == .notAPair(""))
        #expect(try error(signer, [""] + signer.fields) == .notAPair(""))
        for index in signer.fields.indices {
            let field = try #require(TapLinkField(rawValue: String(signer.fields[index].prefix(1))))
            #expect(try error(signer, signer.fields + [signer.fields[index]]) == .repeated(field))
            var fewer = signer.fields
            fewer.remove(at: index)
            #expect(try error(signer, fewer) == .missing(field))
        }
        #expect(try error(signer, signer.fields + ["o=0"]) == .wrongProduct(.tapsigner, .slot))
        #expect(try error(signer, signer.fields + ["r=abcdefgh"]) == .wrongProduct(.tapsigner, .addressEnd))
        #expect(try error(slot, slot.fields + ["t=1"]) == .wrongProduct(.satscard, .signer))
    }

    @Test func hostAndFieldsBelongToOneProduct() throws {
        for host in ["getsatscard.com", "satscard.com"] {
            #expect(linkError(try SignedLink.signer(key, host: host).text) == .wrongProduct(.satscard, .signer))
        }
        #expect(linkError(try SignedLink.slot(key, host: "tapsigner.com").text) == .wrongProduct(.tapsigner, .slot))
        #expect(linkError(try SignedLink.slot(key, host: "satschip.com").text) == .wrongProduct(.satschip, .slot))
        #expect(try TapLink(verifying: SignedLink.signer(key, host: "satschip.com").text).product == .satschip)
    }

    @Test(arguments: [
        ("t", ["0", "2", "01", "", "true"]), ("u", ["s", "u", "e", "X", "SS", "", "%53"]),
        ("c", ["0123456789abcde", "0123456789abcdef0", "0123456789ABCDEF", "0123456789abcdeg", ""]),
        ("n", ["0123456789abcde", "0123456789abcdef0", "0123456789ABCDEF", "0123456789abcde=", ""]),
    ])
    func valuesOfSigners(name: String, values: [String]) throws {
        try expectRefused(signer, name, values)
    }

    @Test(arguments: [
        ("o", ["-1", "+1", "00", "01", "256", "1.0", "1e1", "", "99999999999999999999"]),
        ("r", ["bcdefgh", "abcdefghi", "ABCDEFGH", "abcdefg-", ""]),
    ])
    func valuesOfSatscards(name: String, values: [String]) throws {
        try expectRefused(slot, name, values)
    }

    private func expectRefused(_ link: SignedLink, _ name: String, _ values: [String]) throws {
        let field = try #require(TapLinkField(rawValue: name))
        for value in values {
            let fields = link.fields.map { $0.hasPrefix("\(name)=") ? "\(name)=\(value)" : $0 }
            #expect(try error(link, fields) == .badValue(field, value))
        }
    }

    @Test func theSignatureIsTheEnd() throws {
        let text = try signer.text
        let signature = String(text.suffix(128))
        for more in ["0", "00", "&", "&x=1", "&t=1", "#", "#t=1", "%20", "/", "?a=b", "=", "&amp;"] {
            guard case .textAfterSignature = linkError(text + more) else {
                Issue.record("\(more)")
                continue
            }
        }
        #expect(linkError(String(text.dropLast())) == .badValue(.signature, String(signature.dropLast())))
        #expect(linkError(text.dropLast(128) + signature.uppercased()) == .badValue(.signature, signature.uppercased()))
        #expect(linkError(String(text.dropLast(128))) == .badValue(.signature, ""))
        for invalid in ["0", "f"] {
            #expect(linkError(text.dropLast(128) + String(repeating: invalid, count: 128)) == .forged)
        }
    }

    /// Eight characters of an address can be searched for: who found a second key must not have it believed.
    @Test func aLinkThatSeveralKeysFitIsRefused() throws {
        let text = try slot.text
        let fields = try LinkFields(String(text.drop { $0 != "#" }.dropFirst()), product: .satscard)
        #expect(try TapLink.proof(of: fields).key == key.publicKey)
        let open = LinkFields(
            state: fields.state, claim: .slot(SlotNumber(index: 0), addressEnd: ""), nonce: fields.nonce,
            signature: fields.signature, signedText: fields.signedText)
        #expect(throws: TapLinkError.severalKeys) { try TapLink.proof(of: open) }
        #expect(TapLinkError.severalKeys.isForgery)
    }

    @Test func everyErrorSaysWhatIsWrong() {
        let errors: [TapLinkError] = [
            .tooLong, .noLink, .unknownHost("example.com"), .severalLinks, .nothingSigned(.satscard), .notAPair("u"),
            .notAPair(""), .unknownField("x"), .wrongProduct(.satscard, .signer), .repeated(.state), .missing(.nonce),
            .badValue(.slot, "x"), .badValue(.slot, ""), .textAfterSignature("x"), .forged, .severalKeys,
        ]
        #expect(Set(errors.map(\.message)).count == errors.count)
        for error in errors {
            #expect(error.message.hasSuffix(".") && !error.remedy.isEmpty)
            #expect(error.description == "\(error.message) (\(error.remedy))")
        }
        #expect(TapLinkError.unknownField(String(repeating: "x", count: 1_000)).message.count < 120)
    }
}
