import Bitcoin
import ByteCodec
import Synchronization
import TapProtocol
import TapSimulator

/// What passed between a card and the programs, to be looked at for habits.
final class ExchangeLog: CardInterceptor {
    struct Entry: Sendable {
        let name: String
        let bytes: [UInt8]
        let map: CBORMap
    }

    private let kept = Mutex<(entries: [Entry], events: [TraceEvent])>(([], []))

    var entries: [Entry] { kept.withLock { $0.entries } }
    var events: [TraceEvent] { kept.withLock { $0.events } }

    @Sendable func record(_ event: TraceEvent) { kept.withLock { $0.events.append(event) } }

    func answer(_ answer: [UInt8], to exchange: CardExchange) -> AnswerInterception {
        let data = Array(answer.dropLast(2))
        if case .map(let map)? = try? CBORDecoder.decode(data) {
            let name = exchange.name == "select" ? "status" : exchange.name
            kept.withLock { $0.entries.append(Entry(name: name, bytes: data, map: map)) }
        }
        return .pass
    }
}

extension ExchangeLog.Entry {
    func bytes(_ key: String) -> [UInt8]? { if case .bytes(let bytes)? = map[key] { bytes } else { nil } }
    func text(_ key: String) -> String? { if case .text(let text)? = map[key] { text } else { nil } }
    func number(_ key: String) -> UInt64? { if case .unsigned(let number)? = map[key] { number } else { nil } }

    var signatures: [ECDSASignature] {
        ["sig", "auth_sig"].compactMap { bytes($0).flatMap { ECDSASignature(compact: $0) } }
    }

    var certificates: [[UInt8]] {
        guard case .array(let items)? = map["cert_chain"] else { return [] }
        return items.compactMap { if case .bytes(let bytes) = $0 { bytes } else { nil } }
    }
}

extension CardHabit {
    /// Whether a habit shows in an answer; `nil` when the answer cannot show it.
    ///
    /// Written from the habits' descriptions, with the eyes of a reader that takes nothing but what the documents promise.
    func shows(in entry: ExchangeLog.Entry) -> Bool? {
        switch self {
        case .header27: header(of: entry, in: 27...30)
        case .header31: header(of: entry, in: 31...34)
        case .header35: header(of: entry, in: 35...38)
        case .oneCertificate: entry.name == "certs" ? entry.certificates.count == 1 : nil
        case .threeCertificates: entry.name == "certs" ? entry.certificates.count == 3 : nil
        case .highR: entry.name == "sign" ? entry.signatures.first.map { !$0.hasLowR } : nil
        case .highS: entry.signatures.first.map { !$0.hasLowS }
        case .zerosInCheck, .derivedKeySigns, .otherMasterKeys: nil
        case .longHeads: entry.bytes != CBOREncoder.encode(.map(entry.map))
        case .otherOrder: entry.name == "status" ? entry.map.pairs.last?.key == "proto" : nil
        case .extraFields: entry.map["mark"] != nil
        case .missingFields: entry.name == "status" ? entry.map["proto"] == nil && entry.map["birth"] == nil : nil
        case .missingNonces:
            ["check", "read", "sign", "xpub"].contains(entry.name) ? entry.map["card_nonce"] == nil : nil
        case .oddBirth: entry.number("birth").map { !(700_000...999_999).contains($0) }
        case .otherProtocol: entry.number("proto").map { $0 != 1 }
        case .oddXpub: entry.bytes("xpub").map { $0[4] > 8 }
        case .versionSuffix: entry.text("ver").map { $0.contains("1.0.3") && $0 != "1.0.3" }
        case .unreadableVersion: entry.text("ver").map { !$0.contains { $0.isNumber } }
        case .addressEnds:
            entry.name == "status" ? entry.text("addr").map { $0.split(separator: "___").first?.count != 12 } : nil
        case .chipAlone: entry.map["satschip"].map { _ in entry.map["tapsigner"] == nil }
        }
    }

    private func header(of entry: ExchangeLog.Entry, in range: ClosedRange<UInt8>) -> Bool? {
        entry.name == "certs" ? entry.certificates.allSatisfy { range.contains($0[0]) } : nil
    }
}
