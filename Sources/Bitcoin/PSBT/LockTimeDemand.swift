/// The lock times that one input of a version 2 PSBT accepts.
///
/// Spec: BIP-370, "Determining Lock Time".
struct LockTimeDemand: Hashable, Sendable {
    /// The minimum height; `nil` when a height is not accepted, unless there is no time either.
    let height: UInt32?
    /// The minimum time; `nil` when a time is not accepted, unless there is no height either.
    let time: UInt32?

    /// What an input's map requires.
    init(_ map: PSBTMap) {
        height = map.uint32(PSBTInputType.requiredHeightLockTime.rawValue)
        time = map.uint32(PSBTInputType.requiredTimeLockTime.rawValue)
    }

    /// Whether any lock time is accepted.
    private var isEmpty: Bool { height == nil && time == nil }

    /// The lock time that suits all inputs: the greatest of the required heights if every demand can be met by a
    /// height, else the greatest of the required times if every demand can be met by a time.
    /// - Parameters:
    ///   - demands: one for each input, in their order.
    ///   - fallback: used when no input demands a lock time.
    /// - Throws: `PSBTError.field` with `.otherKindOfLockTime` for the first input after which neither kind is possible.
    static func lockTime(of demands: [Self], fallback: UInt32) throws(PSBTError) -> UInt32 {
        var height: UInt32? = 0
        var time: UInt32? = 0
        var isDemanded = false
        for (index, demand) in demands.enumerated() where !demand.isEmpty {
            isDemanded = true
            height = greater(height, demand.height)
            time = greater(time, demand.time)
            guard height == nil, time == nil else { continue }
            let type: PSBTInputType = demand.height == nil ? .requiredTimeLockTime : .requiredHeightLockTime
            throw .field(PSBTFieldID(.input(index), type.rawValue), .otherKindOfLockTime)
        }
        guard isDemanded else { return fallback }
        return height ?? time ?? fallback
    }

    /// The greater of two; `nil` when one of them is missing.
    private static func greater(_ one: UInt32?, _ other: UInt32?) -> UInt32? {
        guard let one, let other else { return nil }
        return max(one, other)
    }
}
