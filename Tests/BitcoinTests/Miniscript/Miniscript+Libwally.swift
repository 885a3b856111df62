import ByteCodec

@testable import Bitcoin

extension Miniscript {
    /// Whether libwally 1.5.6 has the fault here that it leaves parts of some scripts with `and_v` empty: what it made is like
    /// the script, but for parts that are left out and zeros in their stead, or one more of them; an operation before such a
    /// part may lack its `VERIFY`.
    /// - Parameters:
    ///   - made: libwally's script in hexadecimal.
    ///   - whole: the script.
    func isLeftUnfinished(as made: String, whole: Script) throws -> Bool {
        var hasConjunction = false
        visit { if case .andV = $0 { hasConjunction = true } }
        let (made, whole) = (try Hex.decode(made), whole.bytes)
        guard hasConjunction, made != whole, [0, 1].contains(made.count - whole.count) else { return false }
        var rest = whole[...]
        for byte in made where byte != 0 {
            let hasVerifyingForm = [0x87, 0x9C, 0xAC, 0xAE].contains(byte)
            guard let place = rest.firstIndex(where: { $0 == byte || hasVerifyingForm && $0 == byte + 1 }) else {
                return false
            }
            rest = rest[(place + 1)...]
        }
        return true
    }
}
