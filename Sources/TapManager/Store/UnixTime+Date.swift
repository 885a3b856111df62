import Glibc

extension UnixTime {
    /// The start of a day in UTC, from a date like `2024-05-01`; `nil` for any other text, for days that do not exist
    /// and years before 1970.
    package init?(utcDate text: some StringProtocol) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.map(\.utf8.count) == [4, 2, 2],
            parts.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }),
            let year = Int32(parts[0]), let month = Int32(parts[1]), let day = Int32(parts[2]), year >= 1970
        else { return nil }
        var fields = tm()
        (fields.tm_year, fields.tm_mon, fields.tm_mday) = (year - 1900, month - 1, day)
        let seconds = timegm(&fields)
        // February 31 would have become March 3.
        guard seconds >= 0, fields.tm_mon == month - 1, fields.tm_mday == day else { return nil }
        self.init(seconds: Int64(seconds))
    }
}
