import Bitcoin
import Testing

@Suite struct SecretBytesTests {
    @Test func holdsWhatItWasGiven() {
        #expect(SecretBytes([1, 2, 3]).withBytes { Array($0) } == [1, 2, 3])
        #expect(SecretBytes(count: 3) { $0[1] = 9 }.withBytes { Array($0) } == [0, 9, 0])
        #expect(SecretBytes([]).withBytes { $0.count } == 0)
        let large = [UInt8](repeating: 7, count: 10_000)
        #expect(SecretBytes(large).withBytes { Array($0) } == large)
    }

    @Test func movingWipesTheSource() {
        var source: [UInt8] = [1, 2, 3]
        let secret = SecretBytes(moving: &source)
        #expect(source.isEmpty)
        #expect(secret.withBytes { Array($0) } == [1, 2, 3])
    }

    @Test func comparesContent() {
        #expect(SecretBytes([1, 2]).isEqual(to: SecretBytes([1, 2])))
        #expect(!SecretBytes([1, 2]).isEqual(to: SecretBytes([1, 3])))
        #expect(!SecretBytes([1, 2]).isEqual(to: SecretBytes([1, 2, 3])))
        #expect(SecretBytes([]).isEqual(to: SecretBytes([])))
    }

    @Test func aFailedFillThrowsOn() {
        struct Refusal: Error {}
        #expect(throws: Refusal.self) { try SecretBytes(count: 4) { _ in throw Refusal() } }
    }

    @Test func nothingShowsTheContent() {
        let secret = SecretBytes(Array("topsecret".utf8))
        var dumped = ""
        dump(secret, to: &dumped)
        for text in ["\(secret)", String(reflecting: secret), dumped] {
            #expect(!text.contains("topsecret") && !text.contains("116"))
        }
    }

    @Test func manySecretsCanLiveAtOnce() {
        let secrets = (0..<2_000).map { SecretBytes([UInt8(truncatingIfNeeded: $0)]) }
        #expect(secrets.enumerated().allSatisfy { $1.withBytes { $0.first } == UInt8(truncatingIfNeeded: $0) })
    }
}
