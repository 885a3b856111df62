/// The stack of a running script. Depths count from the top, from 0.
struct ScriptStack {
    /// The most items on both stacks together, and the most bytes in an item.
    static let maximumCount = 1_000
    static let maximumItemLength = 520

    /// The items, bottom first.
    private(set) var items: [[UInt8]]

    init(_ items: [[UInt8]] = []) { self.items = items }

    var count: Int { items.count }

    mutating func push(_ item: [UInt8]) { items.append(item) }

    mutating func push(_ number: Int64) { items.append(ScriptNumber.encode(number)) }

    mutating func push(_ flag: Bool) { items.append(ScriptNumber.encode(flag)) }

    /// The item at a depth.
    func item(_ depth: Int = 0) throws(ScriptFailure) -> [UInt8] { items[try index(depth)] }

    @discardableResult
    mutating func pop() throws(ScriptFailure) -> [UInt8] {
        guard let item = items.popLast() else { throw .stackTooShort }
        return item
    }

    /// Removes the item at a depth.
    mutating func remove(_ depth: Int) throws(ScriptFailure) -> [UInt8] { items.remove(at: try index(depth)) }

    /// Puts an item below `depth` others.
    mutating func insert(_ item: [UInt8], _ depth: Int) throws(ScriptFailure) {
        guard (0...items.count).contains(depth) else { throw .stackTooShort }
        items.insert(item, at: items.count - depth)
    }

    /// Pushes a copy of the item at a depth.
    mutating func copy(_ depth: Int) throws(ScriptFailure) { push(try item(depth)) }

    /// Moves the item at a depth to the top.
    mutating func roll(_ depth: Int) throws(ScriptFailure) { push(try remove(depth)) }

    /// Checks that there are this many items.
    func require(_ count: Int) throws(ScriptFailure) {
        guard items.count >= count else { throw .stackTooShort }
    }

    private func index(_ depth: Int) throws(ScriptFailure) -> Int {
        guard (0..<items.count).contains(depth) else { throw .stackTooShort }
        return items.count - 1 - depth
    }
}
