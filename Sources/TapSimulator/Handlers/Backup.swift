import Bitcoin
import ByteCodec

/// `backup`: the master key as text, encrypted with the key on the card's back.
///
/// Spec: protocol, "Commands", `backup`, and "Backup file".
enum BackupHandler: CommandHandler {
    static let name = "backup"
    static let products: Set<SimulatedProduct> = [.tapsigner]

    static func authentication(on product: SimulatedProduct) -> AuthenticationNeed { .required }

    static func answer(
        _ request: CardRequest, session: SessionKey?, card: inout CardCore
    ) throws(CardFault) -> CBORMap {
        guard case .tapsigner(var signer) = card.state.content, let key = signer.key else { throw .invalidState }
        let master = try key.master.master(card.state.network)
        var text = Array("\(master.text)\n\(BackupPath.text(key.path))\n".utf8)
        defer { text.wipe() }
        guard let data = AES128CTR.crypt(text, key: signer.aesKey.bytes) else { throw .invalidState }
        signer.backups = min(TapsignerState.mostBackups, signer.backups + 1)
        card.state.content = .tapsigner(signer)
        return ["data": .bytes(data)]
    }
}

/// How a card writes a path into its backup.
enum BackupPath {
    /// Numbers above this are written as `0x` and eight hexadecimal digits.
    private static let mostDecimal: UInt32 = 32_768

    /// `m`, then each hardened step after a slash.
    static func text(_ path: [UInt32]) -> String {
        path.reduce(into: "m") { text, step in
            let index = step & 0x7FFF_FFFF
            let digits = index > mostDecimal ? "0x" + hexadecimal(index) : String(index)
            text += "/\(digits)h"
        }
    }

    private static func hexadecimal(_ number: UInt32) -> String {
        Hex.encode(withUnsafeBytes(of: number.bigEndian) { Array($0) })
    }
}
