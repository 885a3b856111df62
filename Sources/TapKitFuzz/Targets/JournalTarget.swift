import TapManager

/// States of unfinished flows as the store keeps them. The first byte chooses the kind.
enum JournalTarget: FuzzTarget {
    static let name = "journal"
    static let maximumLength = 1_024

    static func run(_ bytes: [UInt8]) throws {
        var source = ByteSource(bytes)
        let kind = source.pick(FlowKind.allCases)
        guard let text = String(validating: source.rest(), as: UTF8.self), let state = FlowState(kind, json: text)
        else {
            return
        }
        expectSame(state.kind, kind, "a state has the requested kind")
        let again = required(FlowState(kind, json: state.json), "what is written is read")
        expectSame(again, state, "a state that is written is the same")
        expectSame(again.json, state.json, "a state is written in one way")
    }

    static func seeds(_ vectors: VectorTexts) throws -> [[UInt8]] {
        let hash = String(repeating: "a5", count: 32)
        let states: [(FlowKind, String)] = [
            (
                .setup,
                """
                {"backupFile":"a.aes","chainCode":"\(hash)","isCVCChanged":false,"keepsCVC":true,"path":"m/84h/0h/0h",\
                "step":"provingKey"}
                """
            ),
            (.setup, "{\"isCVCChanged\":true,\"keepsCVC\":false,\"step\":\"changingCVC\"}"),
            (.backup, "{\"file\":\"/tmp/a.aes\"}"), (.changeCVC, "{}"), (.changeCVC, "{\"lastTried\":\"new\"}"),
            (.derive, "{\"from\":\"m/84h/0h/0h\",\"to\":\"m/49h/0h/0h\"}"),
            (.unseal, "{\"address\":\"bc1q\",\"slotIndex\":3}"),
            (.nextSlot, "{\"chainCode\":\"\(hash)\",\"slotIndex\":0}"),
            (.sign, "{\"ownPath\":\"m\",\"total\":2,\"transaction\":\"\(hash)\"}"),
        ]
        return states.map { [UInt8(FlowKind.allCases.firstIndex(of: $0.0) ?? 0)] + Array($0.1.utf8) }
    }
}
