import ByteCodec
import SmartCard

/// The two APDUs of the protocol: SELECT, and the single instruction that carries a CBOR map.
///
/// Spec: protocol, "Wire".
enum TapAPDU {
    /// The identifier of the tap-card application.
    static let applicationIdentifier: [UInt8] = [0xF0] + Array("CoinkiteCARDv1".utf8)

    /// The instruction byte of every command.
    static let instruction: UInt8 = 0xCB

    /// SELECT; the response is a `status` map.
    static func select() throws(TapError) -> CommandAPDU {
        do { return try .select(applicationIdentifier: applicationIdentifier) } catch { throw tooLong("select") }
    }

    /// A command with its arguments; the map's last field becomes `cmd`.
    static func command(_ name: String, arguments: CBORMap) throws(TapError) -> CommandAPDU {
        var map = arguments
        map["cmd"] = .text(name)
        do {
            return try CommandAPDU(
                class: 0x00, instruction: instruction, parameter1: 0x00, parameter2: 0x00,
                data: CBOREncoder.encode(.map(map)))
        } catch { throw tooLong(name) }
    }

    private static func tooLong(_ command: String) -> TapError {
        .invalidArgument(command: command, problem: "does not fit into a short APDU")
    }
}
