import Bitcoin

/// `certs`: the signatures that lead from the card's key to the factory root, the batch's first.
///
/// Verified: nothing here; `CertificateChain` judges them, and `check` proves that the card holds the key.
///
/// Spec: protocol, "Commands" and "What must be verified, always".
struct CertsCommand: TapCommand {
    static let name = "certs"
    static let answersWithNonce = false

    static func authentication(for product: CardProduct) -> Authentication { .none }

    func response(from fields: ResponseFields, in exchange: Exchange) throws(TapError) -> CertificateChain {
        var certificates: [CertificateChain.Certificate] = []
        for bytes in try fields.byteStrings(
            "cert_chain", count: CertificateChain.counts, length: CertificateChain.Certificate.length)
        {
            guard let certificate = CertificateChain.Certificate(bytes) else {
                throw fields.bad("cert_chain", "has an item that is not a recoverable signature")
            }
            certificates.append(certificate)
        }
        if certificates.count != CertificateChain.usualCount {
            fields.note("`cert_chain` has \(certificates.count) certificates")
        }
        return CertificateChain(certificates)
    }
}
