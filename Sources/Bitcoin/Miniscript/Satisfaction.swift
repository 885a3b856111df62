/// One way to satisfy or dissatisfy an expression, as it is put together from the ways of its parts.
///
/// Spec: BIP-379, "Satisfactions and malleability"; Bitcoin Core, `InputStack`.
struct Satisfaction: Sendable {
    /// The items of a witness, without copies of what they are made of.
    private indirect enum Items: Sendable {
        case none
        case item([UInt8])
        case both(Items, Items)
    }

    /// Whether there is a way at all, with what is at hand.
    private(set) var isPossible = true
    /// Whether it has a signature, which others cannot make.
    private(set) var hasSignature = false
    /// Whether others could put another one in its place.
    private(set) var isMalleable = false
    /// How many bytes the items take, each with its length.
    private(set) var size = 0
    private var items = Items.none

    private init() {}

    /// No items at all.
    static let nothing = Self()
    /// No way.
    static let impossible: Self = {
        var satisfaction = Self()
        satisfaction.isPossible = false
        return satisfaction
    }()
    /// One of several ways that anybody could choose from. No witness that is used has it, so that it has no items.
    static let anyonesChoice = nothing.malleable
    /// An empty item.
    static let empty = Self(item: [])
    /// The item 1.
    static let one = Self(item: [1])

    /// One item.
    init(item: [UInt8]) {
        items = .item(item)
        size = item.count + (item.count < 253 ? 1 : 3)
    }

    /// A signature; impossible without one.
    init(signature: [UInt8]?) {
        self = signature.map { Self(item: $0) } ?? .impossible
        hasSignature = true
    }

    /// Whether anybody can have it, without a signature.
    var isFree: Bool { isPossible && !hasSignature }

    /// The same, known to be one of several that anybody could choose from.
    var malleable: Self {
        var satisfaction = self
        satisfaction.isMalleable = true
        return satisfaction
    }

    /// The items of both, those of the first below.
    static func + (one: Self, other: Self) -> Self {
        guard one.isPossible, other.isPossible else {
            var satisfaction = Self.impossible
            satisfaction.hasSignature = one.hasSignature || other.hasSignature
            return satisfaction
        }
        var satisfaction = Self()
        satisfaction.hasSignature = one.hasSignature || other.hasSignature
        satisfaction.isMalleable = one.isMalleable || other.isMalleable
        satisfaction.size = one.size + other.size
        satisfaction.items = .both(one.items, other.items)
        return satisfaction
    }

    /// The one that nobody else can turn into the other; else the smaller.
    static func | (one: Self, other: Self) -> Self {
        guard one.isPossible else { return other }
        guard other.isPossible else { return one }
        // Whoever sees the one with a signature can use the one without.
        guard one.hasSignature == other.hasSignature else { return one.hasSignature ? other : one }
        let smaller = one.size <= other.size ? one : other
        guard one.hasSignature else { return smaller.malleable }
        guard one.isMalleable == other.isMalleable else { return one.isMalleable ? other : one }
        return smaller
    }

    /// The items, bottom first.
    var stack: [[UInt8]] {
        var stack: [[UInt8]] = []
        Self.append(items, to: &stack)
        return stack
    }

    private static func append(_ items: Items, to stack: inout [[UInt8]]) {
        switch items {
        case .none: break
        case .item(let item): stack.append(item)
        case .both(let one, let other):
            append(one, to: &stack)
            append(other, to: &stack)
        }
    }
}
