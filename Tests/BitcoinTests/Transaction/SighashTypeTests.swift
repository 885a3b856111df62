import Bitcoin
import Testing

@Suite struct SighashTypeTests {
    @Test func theSixStandardTypes() {
        let types: [(UInt32, String, SighashType.Outputs)] = [
            (0x01, "ALL", .all), (0x02, "NONE", .none), (0x03, "SINGLE", .single), (0x81, "ALL|ANYONECANPAY", .all),
            (0x82, "NONE|ANYONECANPAY", .none), (0x83, "SINGLE|ANYONECANPAY", .single),
        ]
        for (value, name, outputs) in types {
            let type = SighashType(rawValue: value)
            #expect(type.isStandard && type.description == name && type.outputs == outputs)
            #expect(type.isAnyoneCanPay == (value > 0x80) && type.byte == UInt8(value))
        }
        #expect(SighashType.single.withAnyoneCanPay.rawValue == 0x83)
    }

    @Test(arguments: [UInt32(0), 0x04, 0x1F, 0x80, 0x84, 0x41, 0x101, 0xFFFF_FFFF])
    func allOthersAreNot(value: UInt32) {
        let type = SighashType(rawValue: value)
        #expect(!type.isStandard && type.outputs == .all)
        #expect((type.byte == nil) == (value > 0xFF))
    }
}
