import Bitcoin
import ByteCodec
import TestSupport
import Testing

/// Files are divided for QR codes in time that grows as they do.
@Suite struct PartsScalingTests {
    @Test func bbqr() throws {
        var random = SeededGenerator()
        try Scaling.expectLinear("bytes in parts of BBQr", upTo: 3_400_000) { size in
            random.bytes(size...size)
        } work: { bytes in
            _ = try #require(BBQr.parts(of: bytes, type: .psbt, maximumLength: 4_296))
        }
        try Scaling.expectLinear("parts of BBQr", upTo: 6_000) { size in
            random.bytes(size...size)
        } work: { bytes in
            _ = try #require(BBQr.parts(of: bytes, type: .psbt, maximumLength: 16))
        }
    }

    @Test func uniformResources() throws {
        var random = SeededGenerator()
        try Scaling.expectLinear("bytes of a uniform resource") { size in
            random.bytes(size...size)
        } work: { bytes in
            let resource = UniformResource(bytes, kind: .bytes, maximumLength: 100, sha256: { SHA256.hash($0) })
            #expect(!resource.text.isEmpty)
            for number in 1...resource.count { #expect(!resource.part(UInt32(number)).isEmpty) }
        }
    }
}
