import Bitcoin
import ByteCodec
import Synchronization
import Testing

@testable import TapProtocol

/// The threats page, "Who can forge what": each word that a relay can have believed, and what tells the truth.
@Suite struct RewrittenAnswersTests {
    @Test(arguments: WordOfWhoeverAnswers.all)
    func theWordOfWhoeverAnswers(word: WordOfWhoeverAnswers) throws { try word.show() }
}

/// The last signature that passed a relay.
final class RelayedSignature: Sendable {
    private let kept = Mutex<[UInt8]>([])

    func keep(_ answer: CBORMap) {
        if case .bytes(let signature)? = answer["sig"] { kept.withLock { $0 = signature } }
    }

    func isValid(for digest: Digest, by key: PublicKey) throws -> Bool {
        let signature = try #require(ECDSASignature(compact: kept.withLock { $0 }))
        return key.isValid(signature, for: digest)
    }
}
