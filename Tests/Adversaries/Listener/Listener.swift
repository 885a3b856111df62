import Bitcoin
import ByteCodec

/// Somebody who heard everything that crossed the line, and whatever became public later: works out what can be worked
/// out, with no key of the card's and no guess at a CVC.
///
/// What a session key hides gives the session key away to whoever knows it, and that the CVC; the CVC gives back as many
/// bytes of every session key as it has digits. So one thing known leads to the next, until nothing new comes.
struct Listener {
    /// Values that may have been hidden, 32 bytes each.
    private(set) var values: Set<[UInt8]> = []
    /// CVCs that are certain, as ASCII digits.
    private(set) var cvcs: Set<[UInt8]> = []
    /// The first digits of CVCs that are longer than what hid them.
    private(set) var beginnings: Set<[UInt8]> = []
    /// Private keys that were hidden.
    private(set) var privateKeys: Set<[UInt8]> = []
    /// Session keys.
    private(set) var sessionKeys: Set<[UInt8]> = []

    private let exchanges: [Authenticated]

    /// An exchange with a CVC: what is hidden in it, and what hides it.
    private struct Authenticated {
        let name: String
        let xcvc: [UInt8]
        /// SHA-256 of the card's nonce and the command's name.
        let mask: [UInt8]
        /// Everything that may be hidden, by field.
        let hidden: [(key: String, bytes: [UInt8])]
        let answer: CBORMap
    }

    /// - Parameters:
    ///   - knowing: digests of published transactions and messages, keys of former owners: 32 bytes each.
    ///   - cvcs: CVCs that are known from elsewhere.
    init(_ wire: [OverheardExchange], knowing: [[UInt8]] = [], cvcs: [String] = []) {
        var nonce: [UInt8] = []
        var exchanges: [Authenticated] = []
        for exchange in wire {
            for (_, bytes) in exchange.request.byteStrings + exchange.answer.byteStrings {
                values.formUnion(Self.values(in: bytes))
            }
            if let xcvc = exchange.request.bytes("xcvc") {
                exchanges.append(
                    Authenticated(
                        name: exchange.name, xcvc: xcvc, mask: SHA256.hash(nonce + Array(exchange.name.utf8)),
                        hidden: Self.hidden(exchange), answer: exchange.answer))
            }
            nonce = exchange.answer.bytes("card_nonce") ?? nonce
        }
        self.exchanges = exchanges
        values.formUnion(knowing)
        self.cvcs = Set(cvcs.map { Array($0.utf8) })
        think()
    }

    /// Whether the CVC, or any digit of one that was to be secret from its first digit on, came out.
    func knows(cvc: String) -> Bool {
        let digits = Array(cvc.utf8)
        return cvcs.contains(digits) || beginnings.contains { digits.starts(with: $0) }
    }

    private mutating func think() {
        while true {
            let before = (values.count, cvcs.count, beginnings.count, sessionKeys.count)
            for exchange in exchanges {
                learnUnhiddenMasterKey(of: exchange.answer)
                for (key, hidden) in exchange.hidden {
                    for value in values where hidden.count == 32 {
                        let session = hidden.xor(value)
                        let cvc = exchange.xcvc.xor(session).xor(exchange.mask)
                        if Self.isCVC(cvc) { open(exchange, session, cvc) }
                    }
                    for cvc in cvcs where cvc.count == exchange.xcvc.count && key == "data" {
                        learn(hidden, under: exchange.xcvc.xor(cvc).xor(exchange.mask))
                    }
                }
            }
            guard before != (values.count, cvcs.count, beginnings.count, sessionKeys.count) else { return }
        }
    }

    /// A slot's key is `m/0` of its master key and chain code, which some cards send as they are.
    private mutating func learnUnhiddenMasterKey(of answer: CBORMap) {
        guard let master = answer.bytes("master_pk"), let code = answer.bytes("chain_code").flatMap({ ChainCode($0) }),
            let key = try? PrivateKey(SecretBytes(master)),
            let slot = try? ExtendedPrivateKey(master: key, chainCode: code, network: .main)
                .child(ChildNumber(rawValue: 0)).privateKey,
            answer.bytes("pubkey") == slot.publicKey.bytes
        else { return }
        let bytes = slot.secret.withBytes { Array($0) }
        privateKeys.insert(bytes)
        values.insert(bytes)
    }

    private mutating func open(_ exchange: Authenticated, _ session: [UInt8], _ cvc: [UInt8]) {
        sessionKeys.insert(session)
        cvcs.insert(cvc)
        for (key, hidden) in exchange.hidden where hidden.count == 32 && ["privkey", "master_pk"].contains(key) {
            privateKeys.insert(hidden.xor(session))
            values.insert(hidden.xor(session))
        }
    }

    /// A new CVC, of which as many digits come out as the present one has.
    private mutating func learn(_ hidden: [UInt8], under session: [UInt8]) {
        let digits = hidden.xor(session)
        guard Self.isCVC(digits) else { return }
        if hidden.count <= session.count { cvcs.insert(digits) } else { beginnings.insert(digits) }
    }

    private static func isCVC(_ bytes: [UInt8]) -> Bool {
        bytes.count >= 6 && bytes.allSatisfy { (48...57).contains($0) }
    }

    private static func hidden(_ exchange: OverheardExchange) -> [(key: String, bytes: [UInt8])] {
        let plain: Set = ["epubkey", "xcvc", "nonce", "card_nonce", "sig", "xpub"]
        return (exchange.request.byteStrings + exchange.answer.byteStrings).filter { !plain.contains($0.key) }
            .map { $0.bytes.count == 33 ? ($0.key, Array($0.bytes.dropFirst())) : ($0.key, $0.bytes) }
    }

    /// What 32-byte values stand in a byte string that passed in the open.
    private static func values(in bytes: [UInt8]) -> [[UInt8]] {
        switch bytes.count {
        case 32: [bytes]
        case 33: [Array(bytes.dropFirst())]
        case 78: [Array(bytes[13..<45]), Array(bytes[46..<78])]
        default: []
        }
    }
}
