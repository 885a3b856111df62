extension Miniscript where Key == DescriptorKey {
    /// Reads an expression of descriptors' keys.
    /// - Parameter context: whether it is in `wsh` or in `tr`.
    /// - Throws: `DescriptorError`: `.key`, `.uncompressedKey`; `.miniscript` if it is not miniscript, or not safe to use.
    init(parsingDescriptor text: Substring, in context: MiniscriptContext) throws(DescriptorError) {
        do throws(MiniscriptError) {
            self = try Miniscript(parsing: text, in: context) { text throws(MiniscriptError) in
                let key: DescriptorKey
                do throws(DescriptorError) {
                    key = try DescriptorKey(parsing: text, allowsXOnly: context == .tapscript)
                } catch {
                    if case .key(let fault) = error { throw .key(fault) }
                    throw .malformed
                }
                guard !key.isUncompressed else { throw .uncompressedKey }
                return key
            }
            if let fault = fault(comparing: { $0.identity(in: context) }) { throw fault }
        } catch {
            switch error {
            case .key(let fault): throw .key(fault)
            case .uncompressedKey: throw .uncompressedKey
            default: throw .miniscript(error)
            }
        }
    }

    /// The witness script, or the leaf's, of a place.
    /// - Throws: as `Descriptor.scripts`; `.miniscript(.repeatedKey)` if two expressions give the same key.
    func script(_ place: Descriptor.Place) throws(DescriptorError) -> Script {
        let derived = try mapKeys { key throws(DescriptorError) in
            ScriptKey.key(context == .tapscript ? try key.xOnly(place) : try key.bytes(place))
        }
        let keys = derived.keys
        guard Set(keys).count == keys.count else { throw .miniscript(.repeatedKey) }
        return derived.script { $0 }
    }
}

extension DescriptorKey {
    /// What it is the key of, whatever is said of where it comes from.
    fileprivate struct Identity: Hashable {
        let key: [UInt8]
        let steps: [Step]
        let wildcard: Wildcard?
    }

    fileprivate func identity(in context: MiniscriptContext) -> Identity {
        let bytes: [UInt8]
        switch material {
        case .publicKey(let key), .xOnly(let key): bytes = key
        case .privateKey(let key): bytes = key.publicKeyBytes
        case .extended(let key): bytes = key.publicKey.bytes + key.chainCode.bytes
        case .extendedPrivate(let key): bytes = key.neutered.publicKey.bytes + key.neutered.chainCode.bytes
        }
        // A script of taproot has no sign of a key.
        let isSigned = context == .tapscript && bytes.count > 32
        return Identity(key: isSigned ? Array(bytes.dropFirst()) : bytes, steps: steps, wildcard: wildcard)
    }
}
