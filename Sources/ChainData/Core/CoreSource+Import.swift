import Bitcoin
import ByteCodec

/// Scripts that the node's wallet is to know, and those that it has looked through the blocks for.
///
/// A wallet keeps a script whose search through the blocks came to no end: the blocks were deleted, the node ended, somebody
/// broke it off. What it then tells of the script is not all. So a script is added twice: from the time on when it can have
/// been paid and, when that search has come to its end, with the mark of one from that day on; only scripts with the mark of
/// such a search, or of a longer one, count as known.
extension CoreSource {
    func addToWallet(_ scripts: [Script]) async throws(ChainError) {
        // Looked at once: another task may have what is known here forgotten meanwhile, and what the wallet has must not be looked
        // for in the blocks again.
        var present = known.withLock { $0.imported }
        if present.isEmpty { present = try await readImported() }
        let new = Set(scripts).subtracting(present)
        guard !new.isEmpty else { return }
        let answer: JSONValue
        do throws(ChainError) {
            answer = try await call(
                "importdescriptors", [try Self.requests(new, from: search.start)],
                timeLimit: settings.rescanTimeLimit)
        } catch {
            if error == .cancelled { await endRescan() }
            throw error
        }
        for element in try answer.elements("the wallet's answer") {
            guard try element.required("success").bool == true else {
                let message = ServerText(element["error"]?["message"]?.string ?? "import failed")
                guard message.description.hasPrefix("Rescan failed") else {
                    throw .serverError(status: nil, message: message)
                }
                throw .unsupported(
                    "the node has not all blocks that its wallet must look through; with ?since=DAY behind its address only "
                        + "those of that day and later: \(message)")
            }
        }
        known.withLock { [present] in $0.imported.formUnion(present.union(new)) }
        guard let mark = search.time(now: try await call("getblockchaininfo").required("mediantime").integer ?? 0)
        else {
            throw .malformed("mediantime is not the time of a block")
        }
        let last = CoreCall("importdescriptors", [try Self.requests(new, from: mark)])
        // Should the node say no, whoever asks next has it look through the blocks once more.
        do throws(ChainError) { _ = try await calls([last], timeLimit: settings.rescanTimeLimit) } catch {
            guard case .notReady = error else { throw error }
        }
    }

    /// From when on the wallet looks through the blocks.
    private var search: CoreSearchMark {
        CoreSearchMark(searchFrom: birthday?.seconds ?? Int64(settings.scriptsBirth))
    }

    private static func requests(_ scripts: Set<Script>, from seconds: Int64) throws(ChainError) -> JSONValue {
        var requests: [JSONValue] = []
        for script in scripts {
            let text = "raw(\(script))"
            guard let checksum = try? DescriptorChecksum.checksum(of: text) else {
                throw .unsupported("a script without a descriptor")
            }
            requests.append(.object(["desc": .string("\(text)#\(checksum)"), "timestamp": .integer(seconds)]))
        }
        return .array(requests)
    }

    /// Ends the search that nobody waits for any more, as `endScan` does.
    private func endRescan() async {
        _ = await Task { await attempt([CoreCall("abortrescan")], Self.longestFarewell) }.value
    }

    private func readImported() async throws(ChainError) -> Set<Script> {
        let answer = try await call("listdescriptors")
        var scripts: Set<Script> = []
        for element in try answer.required("descriptors").elements("descriptors") {
            let text = try element.text("desc").prefix { $0 != "#" }
            guard text.hasPrefix("raw("), text.hasSuffix(")") else { continue }
            guard let time = try element.required("timestamp").integer else { throw .malformed("a timestamp is none") }
            guard search.isCovered(by: time) else { continue }
            scripts.insert(Script(try JSONValue.string(String(text.dropFirst(4).dropLast())).hex("desc")))
        }
        known.withLock { [scripts] in $0.imported = scripts }
        return scripts
    }
}
