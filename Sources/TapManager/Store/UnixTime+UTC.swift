import Glibc

extension UnixTime {
    /// Year, month, day, hour, minute and second in UTC, each with leading zeros; all zeros for a time that no calendar
    /// has.
    private var fields: (date: String, time: String) {
        var seconds = time_t(seconds)
        var parts = tm()
        guard gmtime_r(&seconds, &parts) != nil else { return ("00000000", "000000") }
        func padded(_ number: Int, _ width: Int) -> String {
            let digits = String(number)
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        return (
            padded(Int(parts.tm_year) + 1900, 4) + padded(Int(parts.tm_mon) + 1, 2) + padded(Int(parts.tm_mday), 2),
            padded(Int(parts.tm_hour), 2) + padded(Int(parts.tm_min), 2) + padded(Int(parts.tm_sec), 2)
        )
    }

    /// The time as `YYYYMMDDTHHMMSSZ`, for the name of a file that was set aside. Spec: ISO 8601.
    var basicUTC: String { "\(fields.date)T\(fields.time)Z" }

    /// The time as `YYYY-MM-DDTHH:MM:SSZ`, for programs. Spec: ISO 8601, RFC 3339.
    package var iso8601: String {
        let time = fields.time
        return "\(isoDate)T\(time.prefix(2)):\(time.dropFirst(2).prefix(2)):\(time.suffix(2))Z"
    }

    /// The day in UTC as `YYYY-MM-DD`. Spec: ISO 8601.
    package var isoDate: String {
        let date = fields.date
        return "\(date.dropLast(4))-\(date.suffix(4).prefix(2))-\(date.suffix(2))"
    }

    /// The time as `YYYYMMDD-HHMMSS` in UTC, for the names of files for people.
    package var fileNameUTC: String { "\(fields.date)-\(fields.time)" }
}
