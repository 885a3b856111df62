import Bitcoin
import TestSupport
import Testing

@Suite struct PaymentURITests {
    private static let base58 = "1BgGZ9tcN4rm9KBzDn7KprQz87SZ26SAMH"
    private static let bech32 = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"
    private static let taproot = "bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0"
    private static let testAddress = "tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx"

    @Test func aRequestIsWritten() throws {
        let address = try Address(parsing: Self.bech32, network: .main)
        #expect(PaymentURI(address: address).description == "bitcoin:\(Self.bech32)")
        let uri = PaymentURI(
            address: address, amount: Amount(satoshis: 12_345), label: "Zoë & Söhne", message: "50% + 1 = ?")
        #expect(
            uri.description == "bitcoin:\(Self.bech32)?amount=0.00012345&label=Zo%C3%AB%20%26%20S%C3%B6hne"
                + "&message=50%25%20%2B%201%20%3D%20%3F")
        #expect(try PaymentURI(parsing: uri.description) == uri)
        #expect(try uri.addresses(on: .main) == [address])
    }

    @Test func anyTextSurvivesWritingAndReading() throws {
        var generator = SeededGenerator()
        let address = try Address(parsing: Self.bech32, network: .main)
        for _ in 0..<1_000 {
            let scalars = (0..<Int.random(in: 0...20, using: &generator)).compactMap { _ in
                Unicode.Scalar(
                    UInt32.random(in: 0...(Bool.random(using: &generator) ? 0x7F : 0x10FFFF), using: &generator))
            }
            let text = String(String.UnicodeScalarView(scalars))
            let amount = Amount(satoshis: Int64.random(in: 0...Amount.maximum.satoshis, using: &generator))
            let uri = PaymentURI(address: address, amount: amount, label: text, message: text)
            let read = try PaymentURI(parsing: uri.description)
            #expect(read == uri && Array((read.label ?? "").utf8) == Array(text.utf8) && read.amount == amount)
            #expect(try PaymentURI(parsing: uri.qrText).message == text)
        }
    }

    /// Whatever is read means the same when it is written and read again, and a damaged address is never another one.
    @Test func damagedURIsAreRefusedOrMeanWhatTheySay() throws {
        var generator = SeededGenerator()
        let address = try Address(parsing: Self.bech32, network: .main)
        let sound = PaymentURI(
            address: address, amount: Amount(satoshis: 12_345), label: "Zoë", message: "50% + 1"
        ).description
        var (taken, payable) = (0, 0)
        for _ in 0..<20_000 {
            let text = String(decoding: generator.damaged(Array(sound.utf8)), as: UTF8.self)
            guard let uri = try? PaymentURI(parsing: text) else { continue }
            taken += 1
            #expect(try PaymentURI(parsing: uri.description) == uri)
            guard let addresses = try? uri.addresses(on: .main), !addresses.isEmpty else { continue }
            payable += 1
            #expect(addresses == [address], "\(text)")
            #expect(try PaymentURI(parsing: uri.qrText).addresses(on: .main) == addresses)
        }
        #expect(taken > 100 && payable > 10 && payable < taken)
    }

    @Test func aQRCodeHoldsBech32InUpperCase() throws {
        for text in [Self.bech32, Self.taproot] {
            let address = try Address(parsing: text, network: .main)
            let plain = PaymentURI(address: address)
            #expect(plain.qrText == "BITCOIN:" + text.uppercased())
            #expect(try PaymentURI(parsing: plain.qrText).addresses(on: .main) == [address])
            let full = PaymentURI(address: address, amount: Amount(satoshis: 150_000_000), label: "me")
            #expect(full.qrText == "BITCOIN:\(text.uppercased())?amount=1.5&label=me")
        }
    }

    @Test func anAddressWhoseCaseMattersStays() throws {
        let uri = PaymentURI(address: try Address(parsing: Self.base58, network: .main))
        #expect(uri.qrText == "bitcoin:\(Self.base58)")
        // A broken address is not made to look like another broken one, and none is none.
        for text in ["bitcoin:bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5", "bitcoin:?lno=lno1abc"] {
            #expect(try PaymentURI(parsing: text).qrText == text)
        }
    }

    @Test func keysHaveNoCase() throws {
        let uri = try PaymentURI(parsing: "BITCOIN:\(Self.base58)?AMOUNT=0.1&Label=me&mEssage=x&POP=app:")
        #expect(uri.amount?.satoshis == 10_000_000 && uri.label == "me" && uri.message == "x")
        #expect(uri.proofOfPayment?.prefix == "app:")
        #expect(uri.parameters.map(\.key) == ["AMOUNT", "Label", "mEssage", "POP"])
        #expect(uri.parameters.map(\.name) == ["amount", "label", "message", "pop"])
    }

    @Test func addressesUnderTheirKeysCountForTheirNetwork() throws {
        let uri = try PaymentURI(
            parsing: "BITCOIN:\(Self.base58)?BC=\(Self.taproot.uppercased())&tb=\(Self.testAddress)&bc=\(Self.bech32)")
        #expect(try uri.addresses(on: .main).map(\.description) == [Self.base58, Self.taproot, Self.bech32])
        #expect(throws: AddressError.self) { try uri.addresses(on: .test) }
        let testOnly = try PaymentURI(parsing: "bitcoin:?tb=\(Self.testAddress)")
        #expect(try testOnly.addresses(on: .signet).map(\.description) == [Self.testAddress])
        #expect(try testOnly.addresses(on: .main).isEmpty)
    }

    @Test func oneBadAddressAmongGoodOnesIsNotPassedOver() throws {
        let bad = Self.bech32.dropLast() + "5"
        let uri = try PaymentURI(parsing: "bitcoin:\(Self.base58)?bc=\(bad)")
        #expect(throws: AddressError.notBech32(.checksum)) { try uri.addresses(on: .main) }
    }

    @Test func aPlusSignIsNoSpaceAndALaterEqualsSignBelongsToTheValue() throws {
        let uri = try PaymentURI(parsing: "bitcoin:\(Self.base58)?label=a+b%20c&x=1=2&flag&empty=&&")
        #expect(uri.label == "a+b c")
        #expect(uri.parameters.map(\.value) == ["a+b c", "1=2", nil, ""])
        #expect(uri.description == "bitcoin:\(Self.base58)?label=a%2Bb%20c&x=1%3D2&flag&empty=")
        #expect(try PaymentURI(parsing: uri.description) == uri)
    }

    @Test func unknownParametersMayRepeat() throws {
        #expect(try PaymentURI(parsing: "bitcoin:\(Self.base58)?x=1&X=2&lightning=a&lightning=b").parameters.count == 4)
    }

    @Test(arguments: [
        ("", PaymentURIError.notBitcoinScheme), ("bitcoin", .notBitcoinScheme), (" bitcoin:@", .notBitcoinScheme),
        ("bitcoin%3A@", .notBitcoinScheme), ("bitco\u{131}n:@", .notBitcoinScheme),
        ("bitcoin\u{1A}@", .notBitcoinScheme),
        ("bitcoin:", .nothingToPayTo), ("bitcoin:?", .nothingToPayTo), ("bitcoin:?label=x", .nothingToPayTo),
        ("bitcoin:?amount=1&future=x", .nothingToPayTo),
        ("bitcoin:@ ", .addressCharacter(0x20)), ("bitcoin:@%41", .addressCharacter(0x25)),
        ("bitcoin:/@", .addressCharacter(0x2F)), ("bitcoin:@#x", .addressCharacter(0x23)),
        ("bitcoin:@&label=x", .addressCharacter(0x26)), ("bitcoin:é", .addressCharacter(0xC3)),
        ("bitcoin:@?label=a b", .queryCharacter(0x20)), ("bitcoin:@?label=a#b", .queryCharacter(0x23)),
        ("bitcoin:@?label=é", .queryCharacter(0xC3)), ("bitcoin:@?label=\"", .queryCharacter(0x22)),
        ("bitcoin:@?label=a\n", .queryCharacter(0x0A)), ("bitcoin:@?a[]=x", .queryCharacter(0x5B)),
        ("bitcoin:@?label=%", .percentEncoding), ("bitcoin:@?label=%4", .percentEncoding),
        ("bitcoin:@?label=%4&x=1", .percentEncoding), ("bitcoin:@?label=%G1", .percentEncoding),
        ("bitcoin:@?label=%+1", .percentEncoding), ("bitcoin:@?%=1", .percentEncoding),
        ("bitcoin:@?label=%FF", .notUTF8), ("bitcoin:@?label=%C0%80", .notUTF8),
        ("bitcoin:@?label=%ED%A0%80", .notUTF8), ("bitcoin:@?label=%C3&x=%A9", .notUTF8), ("bitcoin:@?%80", .notUTF8),
        ("bitcoin:@?=x", .emptyKey), ("bitcoin:@?a=1&=", .emptyKey),
        ("bitcoin:@?amount", .amount(.empty)), ("bitcoin:@?amount=", .amount(.empty)),
        ("bitcoin:@?amount=1&AMOUNT=1", .repeatedParameter("amount")),
        ("bitcoin:@?label=a&l%61bel=a", .repeatedParameter("label")),
        ("bitcoin:@?message&message=x", .repeatedParameter("message")),
        ("bitcoin:@?pop=a:&POP=a:", .repeatedParameter("pop")),
        ("bitcoin:@?req-pop=a:&req-pop=a:", .repeatedParameter("pop")),
        ("bitcoin:@?REQ-x=1", .unknownRequiredParameters(["req-x"])),
        ("bitcoin:@?req%2Dx=1", .unknownRequiredParameters(["req-x"])),
        ("bitcoin:@?req-%CC%81=1", .unknownRequiredParameters(["req-\u{301}"])),
        ("bitcoin:@?req-", .unknownRequiredParameters(["req-"])),
        ("bitcoin:@?req-amount=1", .unknownRequiredParameters(["req-amount"])),
        ("bitcoin:?bc=bcrt1qxyz", .addressUnderOtherKey("bc")), ("bitcoin:@?tb=bc1qxyz", .addressUnderOtherKey("tb")),
        ("bitcoin:?bcrt=tb1qxyz", .addressUnderOtherKey("bcrt")), ("bitcoin:?bc", .addressUnderOtherKey("bc")),
        ("bitcoin:?bc=\(base58)", .addressUnderOtherKey("bc")),
    ])
    func whatBreaksARuleIsRefused(_ template: String, _ error: PaymentURIError) {
        let text = template.replacing("@", with: Self.base58)
        #expect(throws: error, "\(text)") { try PaymentURI(parsing: text) }
    }

    @Test(arguments: [
        "http:x", "HTTPS://x", "file:///x", "javascript:x", "mailto:a@b", "data:x", "", "app", ":x", "1app:x", "a b:x",
        "app\u{301}:x", "app:é", "app:\n", "%61pp:x",
    ])
    func whatMustNotBeOpenedIsNotAndIsNotPaidWhenDemanded(_ prefix: String) throws {
        let encoded = prefix.utf8.map { "%" + String(0x100 + Int($0), radix: 16).dropFirst() }.joined()
        for (key, isPaid) in [("pop", true), ("req-pop", false)] {
            let uri = try PaymentURI(parsing: "bitcoin:\(Self.base58)?\(key)=\(encoded)")
            let proof = try #require(uri.proofOfPayment)
            #expect(proof.prefix == prefix && !proof.mayBeOpened && proof.opening(paidWith: "onchain") == nil)
            #expect(uri.mayBePaid(openingProofs: true) == isPaid)
        }
    }

    @Test func aDemandedProofIsPaidOnlyByWhoOpensIt() throws {
        let uri = try PaymentURI(parsing: "bitcoin:\(Self.base58)?req-pop=app%3Apaid?")
        #expect(uri.proofOfPayment?.opening(paidWith: "onchain") == "app:paid?onchain=")
        #expect(uri.mayBePaid(openingProofs: true) && !uri.mayBePaid(openingProofs: false))
    }
}
