import TapManager

/// A proof as `--json` shows it.
struct ProofDocument: Encodable {
    let name: String
    let ok: Bool
    let detail: String

    init(_ line: VerifyFlow.Line) {
        name = line.name
        ok = line.holds
        detail = line.detail
    }
}
