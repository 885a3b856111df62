/// The day before which a wallet had no payments: `?since=YYYY-MM-DD` in a node's address.
struct CoreBirthday: Sendable {
    /// The first second of the day (UTC), in seconds since 1970.
    let seconds: Int64

    /// Reads a day from 2009 to 2199.
    init?(parsing text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.map(\.utf8.count) == [4, 2, 2], parts.joined().utf8.allSatisfy({ (0x30...0x39).contains($0) })
        else { return nil }
        let numbers = parts.compactMap { Int64($0) }
        guard numbers.count == 3, (2009...2199).contains(numbers[0]), (1...12).contains(numbers[1]) else { return nil }
        let (year, month, day) = (numbers[0], numbers[1], numbers[2])
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let lengths: [Int64] = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        guard (1...lengths[Int(month) - 1]).contains(day) else { return nil }
        let before = year - 1
        let days = 365 * before + before / 4 - before / 100 + before / 400 + lengths.prefix(Int(month) - 1).reduce(0, +)
        seconds = (days + day - 1 - Self.daysBefore1970) * 86_400
    }

    /// Counted from 1 January of the year 1.
    private static let daysBefore1970: Int64 = 719_162
}
