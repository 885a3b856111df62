import LyingCards
import TapSimulator

/// The alterations of single bytes: bits of signatures, keys, nonces, addresses and slot numbers, and several values of
/// every other byte.
struct Alterations {
    private static let bitwise: Set<String> = [
        "addr", "auth_sig", "card_nonce", "cert_chain", "chain_code", "data", "master_pk", "master_pubkey", "privkey",
        "pubkey", "sig", "slot", "slots", "xpub",
    ]

    let answer: [UInt8]
    let anatomy: AnswerAnatomy

    init?(of answer: [UInt8]) {
        guard let anatomy = AnswerAnatomy(answer) else { return nil }
        self.answer = answer
        self.anatomy = anatomy
    }

    /// The other values that the byte at an offset gets: at least one.
    func values(at offset: Int) -> [UInt8] {
        let byte = answer[offset]
        if let field = anatomy.field(at: offset) {
            if field.content.contains(offset), Self.bitwise.contains(field.name) {
                return (0..<8).map { byte ^ 1 << UInt8($0) }
            }
            // Within text, keys included, one wrong byte is as wrong as another.
            if offset > field.key.lowerBound, field.key.contains(offset) || field.name == "url" {
                return [byte ^ 0x01, byte ^ 0x80]
            }
        }
        return Set([byte ^ 0x01, byte ^ 0x20, byte ^ 0x80, byte &+ 1, 0x00, 0xFF]).subtracting([byte]).sorted()
    }
}
