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

    @Test(arguments: [1, 32, 64, 65, 5_000]) func memoryThatIsUsedAgainIsBlank(count: Int) {
        for _ in 0..<300 {
            let held = (0..<3).map { _ in SecretBytes(count: count) { _ in } }
            #expect(held.allSatisfy { $0.withBytes { $0.count == count && $0.allSatisfy { $0 == 0 } } })
            _ = (0..<3).map { _ in SecretBytes([UInt8](repeating: 0xAA, count: count)) }
        }
    }

    @Test func threadsShareNoMemory() async {
        await withTaskGroup(of: Bool.self) { group in
            for byte in UInt8.min...UInt8.max {
                group.addTask {
                    (0..<50).allSatisfy { _ in
                        let secret = SecretBytes([UInt8](repeating: byte, count: 32))
                        return secret.withBytes { $0.count == 32 && $0.allSatisfy { $0 == byte } }
                    }
                }
            }
            for await isAlone in group { #expect(isAlone) }
        }
    }
}
