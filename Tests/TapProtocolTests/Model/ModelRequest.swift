import Bitcoin
import ByteCodec

/// One command as the model's card gets it: what is hidden on the wire is plain here.
struct ModelRequest {
    /// What comes as the CVC.
    enum Credential: Equatable {
        case none
        /// These digits, or whatever else stands in their place.
        case digits(String)
        /// So many bytes that are no CVC's, because the nonce was an old one.
        case garbage(length: Int)
    }

    var name: String
    var arguments: CBORMap = [:]
    var credential = Credential.none
}

/// What the model's card answers.
enum ModelAnswer {
    /// No map, but a status word.
    case word(UInt16)
    /// The error with this number.
    case refusal(Int)
    /// A map in which these fields are as told.
    case fields([String: Field])

    /// What is known of a field.
    enum Field {
        case value(CBORValue)
        case present
        case absent
    }

    /// What is wrong with a real card's answer; `nil` when nothing is.
    /// - Parameter isUnlucky: whether error 205 is to be expected as well.
    func contradiction(in apdu: [UInt8], isUnlucky: Bool = false) -> String? {
        let word = apdu.suffix(2).reduce(0) { $0 << 8 | UInt16($1) }
        if case .word(let expected) = self {
            return word == expected && apdu.count == 2 ? nil : "status word \(word) instead of \(expected)"
        }
        guard word == 0x9000, case .map(let map)? = try? CBORDecoder.decode(Array(apdu.dropLast(2))) else {
            return "no map, status word \(word), where the model says \(self)"
        }
        let refusal = Self.refusal(in: map)
        switch self {
        case .word: return nil
        case .refusal(let number): return refusal == number ? nil : "\(map.pairs) instead of error \(number)"
        case .fields(let fields):
            if let refusal { return isUnlucky && refusal == 205 ? nil : "error \(refusal) instead of \(fields)" }
            for (key, field) in fields {
                let isRight =
                    switch field {
                    case .value(let value): map[key] == value
                    case .present: map[key] != nil
                    case .absent: map[key] == nil
                    }
                if !isRight { return "`\(key)` is \(String(describing: map[key])) instead of \(field)" }
            }
            return nil
        }
    }

    /// The error's number, if the answer is one.
    static func refusal(in map: CBORMap) -> Int? {
        guard map["error"] != nil, case .unsigned(let number)? = map["code"] else { return nil }
        return Int(number)
    }
}
