import Bitcoin
import ByteCodec
import Testing

/// Scripts as words, for tables: numbers, `0x…` for pushed bytes, `#…` for bytes as they are, and names of operations.
enum ScriptAssembly {
    static func script(_ text: String) throws -> Script {
        var bytes: [UInt8] = []
        for word in text.split(separator: " ") {
            if let number = Int(word), let opcode = Opcode.number(number) {
                bytes.append(opcode)
            } else if let number = Int(word) {
                bytes.appendPush(of: encoded(number))
            } else if word.hasPrefix("0x") {
                bytes.appendPush(of: try Hex.decode(word.dropFirst(2)))
            } else if word.hasPrefix("#") {
                bytes += try Hex.decode(word.dropFirst())
            } else {
                bytes.append(try #require(opcodes[String(word)], "\(word)"))
            }
        }
        return Script(bytes)
    }

    /// Little-endian with the sign in the highest bit.
    private static func encoded(_ number: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        var magnitude = number.magnitude
        while magnitude > 0 {
            bytes.append(UInt8(magnitude & 0xFF))
            magnitude >>= 8
        }
        if let last = bytes.last, last >= 0x80 { bytes.append(0) }
        if number < 0, let last = bytes.popLast() { bytes.append(last | 0x80) }
        return bytes
    }

    private static let names = """
        61 NOP 62 VER 63 IF 64 NOTIF 65 VERIF 66 VERNOTIF 67 ELSE 68 ENDIF 69 VERIFY 6a RETURN 6b TOALT 6c FROMALT 6d 2DROP
        6e 2DUP 6f 3DUP 70 2OVER 71 2ROT 72 2SWAP 73 IFDUP 74 DEPTH 75 DROP 76 DUP 77 NIP 78 OVER 79 PICK 7a ROLL 7b ROT
        7c SWAP 7d TUCK 7e CAT 7f SUBSTR 80 LEFT 81 RIGHT 82 SIZE 83 INVERT 84 AND 85 OR 86 XOR 87 EQUAL 88 EQUALVERIFY
        89 RESERVED1 8a RESERVED2 8b 1ADD 8c 1SUB 8d 2MUL 8e 2DIV 8f NEGATE 90 ABS 91 NOT 92 0NOTEQUAL 93 ADD 94 SUB 95 MUL
        96 DIV 97 MOD 98 LSHIFT 99 RSHIFT 9a BOOLAND 9b BOOLOR 9c NUMEQUAL 9d NUMEQUALVERIFY 9e NUMNOTEQUAL 9f LESSTHAN
        a0 GREATERTHAN a1 LESSTHANOREQUAL a2 GREATERTHANOREQUAL a3 MIN a4 MAX a5 WITHIN a6 RIPEMD160 a7 SHA1 a8 SHA256
        a9 HASH160 aa HASH256 ab CODESEPARATOR ac CHECKSIG ad CHECKSIGVERIFY ae CHECKMULTISIG af CHECKMULTISIGVERIFY b0 NOP1
        b1 CLTV b2 CSV b3 NOP4 b4 NOP5 b5 NOP6 b6 NOP7 b7 NOP8 b8 NOP9 b9 NOP10 ba CHECKSIGADD 50 RESERVED 4f NEGATIVE1
        """

    static let opcodes: [String: Opcode] = {
        let words = names.split { $0 == " " || $0 == "\n" }
        return stride(from: 0, to: words.count, by: 2).reduce(into: [:]) {
            $0[String(words[$1 + 1])] = UInt8(words[$1], radix: 16).map { Opcode(rawValue: $0) }
        }
    }()
}
