import ByteCodec

/// A signature's text, read as far as its format allows.
enum MessageSignature {
    case bip137(BIP137Signature)
    case simple(witness: [[UInt8]], hasPrefix: Bool)
    case full(Transaction)
    case proofOfFunds(PSBT)

    var format: MessageSignatureFormat {
        switch self {
        case .bip137: .bip137
        case .simple: .bip322Simple
        case .full: .bip322Full
        case .proofOfFunds: .bip322ProofOfFunds
        }
    }

    /// Reads a text.
    init(text: String) throws(UnreadableSignature) {
        let text = Self.trimmed(text)
        guard !text.isEmpty else { throw .init(nil, .empty) }
        // Base64 has a multiple of four characters, so three more characters in front are never part of it.
        let format = MessageSignatureFormat.allCases.first { format in
            text.count % 4 == 3 && format.prefix.map { text.starts(with: $0.utf8) } == true
        }
        let body = text.dropFirst(format?.prefix?.utf8.count ?? 0)
        let isProof = format == .bip322ProofOfFunds || body.starts(with: Self.psbtStart)
        let limit = isProof ? SignedMessage.maximumProofLength : SignedMessage.maximumTextLength
        guard body.count <= limit else { throw .init(format, .tooLarge(limit: limit)) }
        let bytes: [UInt8]
        do throws(Base64.DecodingError) {
            bytes = try Base64.decode(utf8: Array(body))
        } catch { throw .init(format, .notBase64(error)) }
        switch format {
        case .bip322Simple: self = try Self.simple(bytes, hasPrefix: true)
        case .bip322Full: self = try Self.full(bytes)
        case .bip322ProofOfFunds: self = try Self.proofOfFunds(bytes)
        case .bip137, nil: self = try Self.withoutPrefix(bytes)
        }
    }

    /// How every PSBT starts in Base64.
    private static let psbtStart = Array("cHNidP".utf8)

    private static func withoutPrefix(_ bytes: [UInt8]) throws(UnreadableSignature) -> Self {
        if bytes.count == BIP137Signature.length {
            do throws(MessageFault) {
                return .bip137(try BIP137Signature(bytes))
            } catch { throw .init(.bip137, error) }
        }
        if bytes.starts(with: PSBT.magic) { return try proofOfFunds(bytes) }
        if let signature = try? simple(bytes, hasPrefix: false) { return signature }
        if let signature = try? full(bytes) { return signature }
        throw .init(nil, .unknownFormat)
    }

    private static func simple(_ bytes: [UInt8], hasPrefix: Bool) throws(UnreadableSignature) -> Self {
        var reader = ByteReader(bytes)
        do throws(ByteReader.ReadingError) {
            let witness = try reader.witnessStack()
            try reader.expectEnd()
            return .simple(witness: witness, hasPrefix: hasPrefix)
        } catch { throw .init(.bip322Simple, .malformedWitness(error)) }
    }

    private static func full(_ bytes: [UInt8]) throws(UnreadableSignature) -> Self {
        do throws(Transaction.ParsingError) {
            return .full(try Transaction(serialized: bytes))
        } catch { throw .init(.bip322Full, .malformedTransaction(error)) }
    }

    private static func proofOfFunds(_ bytes: [UInt8]) throws(UnreadableSignature) -> Self {
        do throws(PSBTError) {
            return .proofOfFunds(try PSBT(serialized: bytes))
        } catch { throw .init(.bip322ProofOfFunds, .malformedPSBT(error)) }
    }

    private static func trimmed(_ text: String) -> ArraySlice<UInt8> {
        let utf8 = Array(text.utf8)
        let front = utf8.drop { $0.isASCIIWhitespace }
        guard let end = front.lastIndex(where: { !$0.isASCIIWhitespace }) else { return [] }
        return front[...end]
    }
}

/// Why a signature's text cannot be read, and which format it was taken for.
struct UnreadableSignature: Error {
    let format: MessageSignatureFormat?
    let fault: MessageFault

    init(_ format: MessageSignatureFormat?, _ fault: MessageFault) {
        self.format = format
        self.fault = fault
    }
}
