import ByteCodec

@testable import TapSimulator

/// APDUs that are sent to every card: SELECT, then commands without a CVC.
enum CardRequests {
    static let all: [[UInt8]] = [CardCore.selection] + commands.map(apdu)

    private static let nonce = CBORValue.bytes([UInt8](1...16))

    private static let commands: [CBORMap] = [
        ["cmd": .text("status")],
        ["cmd": .text("certs")],
        ["cmd": .text("check"), "nonce": nonce],
        ["cmd": .text("read"), "nonce": nonce],
        ["cmd": .text("dump"), "slot": .unsigned(0)],
        ["cmd": .text("nfc")],
        ["cmd": .text("derive"), "nonce": nonce],
        ["cmd": .text("wait")],
    ]

    private static func apdu(_ request: CBORMap) -> [UInt8] {
        let encoding = CBOREncoder.encode(.map(request))
        return [0x00, 0xCB, 0x00, 0x00, UInt8(encoding.count)] + encoding
    }
}
