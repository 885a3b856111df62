import Bitcoin

/// `hwi signtx PSBT`: the PSBT with the card's signatures.
struct HWISignTx: HWICommand {
    private static let psbt = HWIOperand("psbt", help: "The PSBT in Base64.")

    static let grammar = HWIGrammar(
        "signtx", abstract: "Sign a PSBT.",
        discussion: """
            Makes every check of tapkit sign; warnings are shown on standard error. If it is interrupted, signatures \
            are kept: sign the same transaction again to continue.
            """,
        operands: [psbt])

    private let psbt: String

    init(_ values: HWIValues) { psbt = values.text(Self.psbt) }

    struct Answer: Encodable {
        let psbt: String
        let signed: Bool
    }

    func answer(_ session: HWISession) async throws -> Answer {
        let given: PSBT
        do throws(PSBTError) { given = try PSBT(fileContent: Array(psbt.utf8)) } catch {
            throw HWIError(session.host.explain(error).retold("the argument: \(error)."))
        }
        let signed = try await HWISigning(session: session).sign(given)
        return Answer(psbt: signed.base64Text, signed: signed.serialized() != given.serialized())
    }
}
