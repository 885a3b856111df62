import Bitcoin

/// Payment requests according to BIP-321.
enum PaymentURITarget: FuzzTarget {
    static let name = "payment-uri"
    static let maximumLength = 1_024

    static func run(_ bytes: [UInt8]) throws {
        guard let text = String(validating: bytes, as: UTF8.self) else { return }
        let uri = try PaymentURI(parsing: text)
        let written = uri.description
        let again = required("what is written is read") { try PaymentURI(parsing: written) }
        expectSame(again, uri, "a URI that is written is the same")
        expectSame(again.description, written, "a URI is written in one way")
        let code = required("what a QR code holds is read") { try PaymentURI(parsing: uri.qrText) }
        expectSame(code.amount, uri.amount, "a QR code asks for the same amount")
        expectSame(code.label, uri.label, "a QR code names the same payee")
        for network in Network.allCases {
            let addresses = try? uri.addresses(on: network)
            expectSame(try? again.addresses(on: network), addresses, "writing changes no address")
            expectSame(try? code.addresses(on: network), addresses, "a QR code pays to the same addresses")
            guard let address = addresses?.first else { continue }
            let made = PaymentURI(address: address, amount: uri.amount, label: uri.label, message: uri.message)
            let read = required("what is made is read") { try PaymentURI(parsing: made.description) }
            expectSame(read, made, "what is made is what is read")
        }
        if let proof = uri.proofOfPayment, let opened = proof.opening(paidWith: "onchain") {
            expect(opened.hasPrefix(proof.prefix), "what is opened begins as was asked")
            expect(proof.mayBeOpened, "nothing is opened that must not be")
        }
    }

    static func seeds(_ vectors: VectorTexts) throws -> [[UInt8]] {
        let encoded = "bitcoin:175tWpb8K1S7NmH4Zx6rewF9WQrcZv245W?label=a%26b%3Dc%25%2B%23%20&message=%C3%A9&amount=0.1"
        let texts = try vectors.texts(in: "bip21/bip21.json").filter { $0.lowercased().hasPrefix("bitcoin:") }
        return (texts + [encoded]).map { Array($0.utf8) }
    }
}
