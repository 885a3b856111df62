import Bitcoin
import ByteCodec

/// Adds scripts to the node's wallet, and tracks which ones it has scanned the blocks for.
///
/// A wallet keeps a script even if its block scan did not finish: blocks were pruned, the node stopped, or someone aborted
/// it. Its history is then incomplete. So a script is added twice: first with the time from which it can have been paid and,
/// when that scan is complete, with a mark of that day. Only scripts with the mark of such a scan, or a longer one, count
/// as known.
extension CoreSource {
    func addToWallet(_ scripts: [Script]) async throws(ChainError) {
        // Read once: another task may clear what is known here meanwhile, and scripts in the wallet must not be scanned for
        // again.
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
                    "the node no longer has all blocks that its wallet must scan; with ?since=DAY in its address, only "
                        + "those from that day on are scanned: \(message)")
            }
        }
        known.withLock { [present] in $0.imported.formUnion(present.union(new)) }
        guard let mark = search.time(now: try await call("getblockchaininfo").required("mediantime").integer ?? 0)
        else {
            throw .malformed("mediantime is not a block time")
        }
        let last = CoreCall("importdescriptors", [try Self.requests(new, from: mark)])
        // If the node refuses, the next caller makes it scan the blocks again.
        do throws(ChainError) { _ = try await calls([last], timeLimit: settings.rescanTimeLimit) } catch {
            guard case .notReady = error else { throw error }
        }
    }

    /// The time from which the wallet scans the blocks.
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

    /// Aborts a scan that nobody waits for any more, like `endScan`.
    private func endRescan() async {
        _ = await Task { await attempt([CoreCall("abortrescan")], Self.longestFarewell) }.value
    }

    private func readImported() async throws(ChainError) -> Set<Script> {
        let answer = try await call("listdescriptors")
        var scripts: Set<Script> = []
        for element in try answer.required("descriptors").elements("descriptors") {
            let text = try element.text("desc").prefix { $0 != "#" }
            guard text.hasPrefix("raw("), text.hasSuffix(")") else { continue }
            guard let time = try element.required("timestamp").integer else {
                throw .malformed("a timestamp is not a number")
            }
            guard search.isCovered(by: time) else { continue }
            scripts.insert(Script(try JSONValue.string(String(text.dropFirst(4).dropLast())).hex("desc")))
        }
        known.withLock { [scripts] in $0.imported = scripts }
        return scripts
    }
}
