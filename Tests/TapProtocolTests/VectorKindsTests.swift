import Foundation
import TestSupport
import Testing

/// Which suites use which rows of the card maker's vectors: a kind that nobody uses fails.
@Suite struct VectorKindsTests {
    private static let file = "coinkite/cktap.json"

    /// Suites below `Tests/`, for each kind.
    private static let suites: [String: [String]] = [
        "applet_version": ["TapProtocolTests/Card/CardFactsTests"],
        "backup": ["TapProtocolTests/Proofs/BackupTests"],
        "backup_path_text": ["BitcoinTests/Keys/DerivationPathTests"],
        "backup_wrong_key": ["TapProtocolTests/Proofs/BackupTests"],
        "bip32_derive": ["BitcoinTests/Keys/CardKeyTests"],
        "certificate_header": ["TapProtocolTests/Commands/CertificateTests"],
        "certs": ["TapProtocolTests/Commands/CertificateTests"],
        "change_command": ["TapProtocolTests/Commands/SetupTests"],
        "command": ["TapProtocolTests/Commands/RequestTests"],
        "constants": ["TapProtocolTests/Commands/RequestTests"],
        "derive_path_invalid": ["TapProtocolTests/Commands/DeriveTests"],
        "derive_path_longest": ["TapProtocolTests/Commands/DeriveTests"],
        "derive_satscard": ["TapProtocolTests/Commands/SlotDeriveTests"],
        "derive_tapsigner": ["TapProtocolTests/Commands/DeriveTests"],
        "ecdh": ["BitcoinTests/Keys/CardKeyTests"],
        "error": ["TapProtocolTests/Errors/TapErrorTests"],
        "error_body": ["TapProtocolTests/Errors/TapErrorTests"],
        "hash": ["BitcoinTests/Crypto/HashTests"],
        "ident": ["TapProtocolTests/Card/CardFactsTests"],
        "ident_invalid": ["TapProtocolTests/Card/CardFactsTests"],
        "note": ["TapProtocolTests/Commands/UnsealTests"],
        "path": ["BitcoinTests/Keys/DerivationPathTests"],
        "path_invalid": ["BitcoinTests/Keys/DerivationPathTests"],
        "read_satscard": ["TapProtocolTests/Commands/ReadTests"],
        "read_tapsigner": ["TapProtocolTests/Commands/ReadTests"],
        "request": ["TapProtocolTests/Commands/RequestTests"],
        "sign": ["BitcoinTests/Keys/CardKeyTests"],
        "sign_command": ["TapProtocolTests/Commands/SignTests"],
        "status_response": ["TapProtocolTests/Commands/StatusTests"],
        "subpath_invalid": ["TapProtocolTests/Commands/SignTests"],
        "trimmed_address": ["TapProtocolTests/Commands/ReadTests"],
        "unseal": ["TapProtocolTests/Commands/UnsealTests"],
        "url": ["TapProtocolTests/Links/LinkVectorTests"],
        "url_digest": ["TapProtocolTests/Links/LinkVectorTests"],
        "url_forged": ["TapProtocolTests/Links/LinkVectorTests"],
        "url_invalid": ["TapProtocolTests/Links/LinkVectorTests"],
        "url_tolerated": ["TapProtocolTests/Links/LinkVectorTests"],
        "xcvc": ["TapProtocolTests/Session/SessionKeyTests"],
        "xpub_response": ["TapProtocolTests/Commands/XPubTests"],
    ]

    @Test func everyKindIsUsed() throws {
        #expect(try Set(Vectors.load(Self.file).countsByKind.keys) == Set(Self.suites.keys))
    }

    @Test(arguments: suites.keys.sorted())
    func theSuitesNameTheirKinds(kind: String) throws {
        for suite in try #require(Self.suites[kind]) {
            let url = Vectors.root.appendingPathComponent("Tests/\(suite).swift")
            let text = try String(contentsOf: url, encoding: .utf8)
            #expect(text.contains("\"\(kind)\""), "\(suite)")
            #expect(text.contains(Self.file) || text.contains("CardVectors.rows("), "\(suite)")
        }
    }
}
