extension Substring.UTF8View {
    /// Where the first of the bytes that are wanted is; `nil`: nowhere. Nearly all texts are contiguous bytes, which are
    /// searched many times faster than by a text's indices.
    @inline(__always)
    func position(where isWanted: (UInt8) -> Bool) -> Index? {
        let offset = withContiguousStorageIfAvailable { bytes in bytes.firstIndex(where: isWanted) }
        guard let offset else { return firstIndex(where: isWanted) }
        return offset.map { index(startIndex, offsetBy: $0) }
    }

    /// Its bytes, copied.
    var bytes: [UInt8] { withContiguousStorageIfAvailable { Array($0) } ?? Array(self) }

    /// What stands before the first of the bytes that are wanted; everything, if there is none.
    @inline(__always)
    func before(where isWanted: (UInt8) -> Bool) -> Self {
        Substring(self[..<(position(where: isWanted) ?? endIndex)]).utf8
    }
}
