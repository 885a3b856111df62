import Bitcoin
import ByteCodec
import TestSupport
import Testing

@Suite struct PSBTParsingTests {
    @Test func everyRowIsHere() throws {
        #expect(
            try PSBTVectors.rows.get().countsByKind == [
                "invalid": 35, "valid": 18, "signer_fails": 4, "role": 11, "invalid_base64": 1, "core_creator": 1,
                "core_signer": 6, "core_combiner": 2, "core_finalizer": 1, "core_extractor": 1,
            ])
    }

    @Test func validRowsComeBackByteForByte() throws {
        let rows = try PSBTVectors.rows("valid", "signer_fails", "role").filter { $0.fields["psbt_base64"] != nil }
        #expect(rows.count == 18 + 4 + 10)
        for row in rows {
            let psbt = try row.psbt()
            #expect(psbt.serialized() == (try row.psbtBytes()), "\(row.testDescription)")
        }
    }
}
