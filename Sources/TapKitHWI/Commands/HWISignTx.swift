import Bitcoin

/// `hwi signtx PSBT`: the PSBT with the card's signatures.
struct HWISignTx: HWICommand {
    private static let psbt = HWIOperand("psbt", help: "The PSBT in Base64.")

    private static let registration = HWIOption(
        "registration", value: .text("text"), isRepeatable: true,
        help: "What registerdescriptor returned: the card signs only for this wallet's coins, and its change is proven."
    )

    static let grammar = HWIGrammar(
        "signtx", abstract: "Sign a PSBT.",
        discussion: """
            Makes every check of tapkit sign; warnings are shown on standard error. If it is interrupted, signatures \
            are kept: sign the same transaction again to continue.
            """,
        operands: [psbt], options: [registration])

    private let psbt: String
    private let registrations: [String]

    init(_ values: HWIValues) { (psbt, registrations) = (values.text(Self.psbt), values.texts(Self.registration)) }

    struct Answer: Encodable {
        let psbt: String
        let signed: Bool
    }

    func answer(_ session: HWISession) async throws -> Answer {
        let given: PSBT
        do throws(PSBTError) { given = try PSBT(fileContent: Array(psbt.utf8)) } catch {
            throw HWIError(session.host.explain(error).retold("the argument: \(error)."))
        }
        let known = try registrations.map(HWIRegistration.read)
        let signed = try await HWISigning(session: session).sign(given, knowing: known)
        return Answer(psbt: signed.base64Text, signed: signed.serialized() != given.serialized())
    }
}
