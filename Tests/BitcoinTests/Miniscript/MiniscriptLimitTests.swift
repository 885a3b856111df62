import TestSupport
import Testing

@testable import Bitcoin

/// What is too large, deep or odd is refused at once.
@Suite struct MiniscriptLimitTests {
    private let key = "02f9308a019258c31049344f85f89d5229b531c845836f99b08601f113bce036f9"

    @Test func whatCannotBeExecutedIsNotRead() throws {
        let parts = String(repeating: ",a:0", count: 200_000)
        #expect(throws: MiniscriptError.tooManyOperations(202)) { try Miniscript("thresh(1,0\(parts))") }
        let deep = String(repeating: "n", count: 100_000)
        #expect(throws: MiniscriptError.tooDeep) { try Miniscript(String(repeating: "or_i(0,", count: 1_000) + "0") }
        #expect(throws: MiniscriptError.tooDeep) { try Miniscript("\(deep):0") }
        let script = Script(
            [0] + [UInt8](repeating: 0, count: 0) + (0..<880).flatMap { _ in [0x6B, 0x00, 0x6C, 0x93] as [UInt8] } + [
                0x51, 0x87,
            ])
        #expect(Miniscript<ScriptKey>(script) == nil)
    }

    @Test(arguments: [
        ("older(5)", MiniscriptError.needsNoSignature), ("or_i(pk(K),0)", nil),
        ("and_v(v:pk(K),older(65536))", .ineffectiveLock(65_536)),
        ("and_v(v:pk(K),older(2147483647))", .ineffectiveLock(2_147_483_647)), ("and_v(v:pk(K),0)", .unsatisfiable),
        ("or_i(pk(K),older(5))", .needsNoSignature), ("and_v(v:pk(K),older(4194305))", nil), ("pk_k(K)", .notBase),
    ])
    func whatIsNotSafeIsNamed(_ text: String, _ fault: MiniscriptError?) throws {
        #expect(try Miniscript(text.replacing("K", with: key)).fault == fault)
    }

    @Test func sameKeysAreFound() throws {
        let twice = "wsh(or_i(pk(\(key)),pk(\(key))))"
        #expect(throws: DescriptorError.miniscript(.repeatedKey)) { try Descriptor(parsing: twice) }
    }

    /// One way, however many groups it has; more than are listed are not.
    @Test func waysAreCounted() throws {
        let keys = try (1...18).map { number in
            try PrivateKey(SecretBytes([UInt8](repeating: UInt8(number), count: 32))).publicKey.description
        }
        func all(_ count: Int) -> String {
            let last = "multi(1,\(keys[2 * count - 2]),\(keys[2 * count - 1]))"
            return (0..<count - 1).reversed().reduce(last) {
                "and_v(v:multi(1,\(keys[2 * $1]),\(keys[2 * $1 + 1])),\($0))"
            }
        }
        #expect(try SpendingPolicy(Miniscript(all(9))).paths?.count == 1)
        let many = (0..<7).reduce("pk(\(keys[7]))") { "and_v(or_c(pk(\(keys[$1])),v:older(\($1 + 1))),\($0))" }
        #expect(try SpendingPolicy(Miniscript(many)).paths == nil)
    }
}
