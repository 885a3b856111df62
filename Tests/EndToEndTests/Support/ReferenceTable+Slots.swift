import Bitcoin
import ByteCodec
import Foundation
import TestSupport
import Testing

extension ReferenceTable {
    /// A slot as `tapkit slots --show-keys` tells of it.
    struct Slot {
        let number: Int
        let state: String
        let address: String
        let wif: String
        let descriptor: String
    }

    /// All slots, with what can be shown of them.
    func slots() async throws -> [Slot] {
        let answer: [[String: Any]] = try await tapkit(["slots", "--show-keys"]).field("slots")
        return try answer.map {
            Slot(
                number: try $0.field("slot"), state: try $0.text("state"), address: $0["address"] as? String ?? "",
                wif: $0["wif"] as? String ?? "", descriptor: $0["descriptor"] as? String ?? "")
        }
    }

    /// The key in wallet import format, in hex.
    func key(_ wif: String) throws -> (secret: String, pubkey: String) {
        let key = try WalletImportFormat(parsing: wif).privateKey
        return (key.secret.withBytes { Hex.encode(Array($0)) }, key.publicKey.description)
    }

    /// Both programs say that no slot is left.
    func expectUsedUp(_ version: String) async throws {
        let status = try await tapkit(["status"])
        let isPastTheEnd = ["1.0.2", "1.0.3"].contains(version)
        #expect(status["slot_state"] as? String == (isPastTheEnd ? "unsealed" : nil))
        #expect(status["address"] == nil)
        for verb in ["setup", "address"] { try await run([verb]).expectFailure(65, "card_used_up") }
        let again = try await tapkit(["unseal"])
        #expect(try again.field("slot", as: Int.self) == 10 && again.field("opened_before", as: Bool.self))

        let runs = try await session([
            ["setup", "-n", Workshop.satscardCVC], ["unseal", Workshop.satscardCVC], ["certs"],
        ])
        // Where the card names the slot behind the last, theirs asks about a slot that is not there.
        runs[0].failed(saying: isPastTheEnd ? "400 on dump" : "Card is fully used")
        runs[1].failed(saying: isPastTheEnd ? "400 on dump" : "already been unsealed")
        try runs[2].succeeded()
    }
}

/// What a listing of slots says of one.
struct SlotUsage: Equatable {
    let state: String
    let address: String
}

extension [ReferenceTable.Slot] {
    /// States and addresses, the first slot first.
    var usage: [SlotUsage] { map { SlotUsage(state: $0.state, address: $0.address) } }
}

extension ReferenceRun {
    /// The table that `usage` draws.
    func usage() throws -> [SlotUsage] {
        let rows = try succeeded().lines.drop { !$0.hasPrefix("------") }.dropFirst()
        return rows.map { row in
            let cells = row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            return SlotUsage(state: cells[1].lowercased(), address: cells.count > 2 ? cells[2] : "")
        }
    }

    /// What `core` would have Bitcoin Core import; of addresses without the checksum.
    func descriptors() throws -> [String] {
        let line = try #require(try succeeded().lines.last { $0.hasPrefix("importdescriptors '") })
        let list = Data(line.dropFirst("importdescriptors '".count).dropLast().utf8)
        let items = try #require(try JSONSerialization.jsonObject(with: list) as? [[String: Any]])
        return try items.map { item in
            let text = try item.text("desc")
            return text.hasPrefix("addr(") ? String(text.prefix { $0 != "#" }) : text
        }
    }
}
