/// The lock times that one input of a PSBT of version 2 can live with.
///
/// Spec: BIP-370, "Determining Lock Time".
struct LockTimeDemand: Hashable, Sendable {
    /// Lock times below this are heights of blocks, others seconds since 1970.
    ///
    /// Spec: BIP-65.
    static let firstTime: UInt32 = 500_000_000

    /// The least height; `nil` when a height does not do, unless there is no time either.
    let height: UInt32?
    /// The least time; `nil` when a time does not do, unless there is no height either.
    let time: UInt32?

    /// What an input's map asks for.
    init(_ map: PSBTMap) {
        height = map.uint32(PSBTInputType.requiredHeightLockTime.rawValue)
        time = map.uint32(PSBTInputType.requiredTimeLockTime.rawValue)
    }

    /// Whether any lock time does.
    private var isEmpty: Bool { height == nil && time == nil }

    /// The lock time that suits all inputs: the greatest of the demanded heights when every demand can be met by a
    /// height, else the greatest of the times when every one can be met by a time.
    /// - Parameters:
    ///   - demands: one for each input, in their order.
    ///   - fallback: taken when nothing is demanded.
    /// - Throws: `PSBTError.field` with `.otherKindOfLockTime` for the first input that leaves neither kind.
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
