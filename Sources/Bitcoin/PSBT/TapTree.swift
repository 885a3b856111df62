import ByteCodec

/// The serialized script tree of a taproot output: one entry per leaf, in depth-first order.
///
/// Spec: BIP-371, `PSBT_OUT_TAP_TREE`; BIP-341.
enum TapTree {
    /// The most steps from the root to a leaf (BIP-341).
    static let maximumDepth = 128

    /// Whether `bytes` are entries of depth, leaf version and script that together form one binary tree.
    static func isComplete(_ bytes: ArraySlice<UInt8>) -> Bool {
        var reader = ByteReader(bytes)
        // The depths, ascending, where a complete left branch waits for its right one.
        var waiting: [UInt8] = []
        var isRootFinished = false
        while !reader.isAtEnd {
            guard !isRootFinished, let depth = try? reader.byte(), depth <= maximumDepth,
                let leafVersion = try? reader.byte(), leafVersion & 1 == 0,
                (try? reader.sizedSlice()) != nil
            else { return false }
            if let deepest = waiting.last, deepest > depth { return false }
            var finished = depth
            while finished > 0, waiting.last == finished {
                waiting.removeLast()
                finished -= 1
            }
            if finished == 0 { isRootFinished = true } else { waiting.append(finished) }
        }
        return isRootFinished
    }
}
