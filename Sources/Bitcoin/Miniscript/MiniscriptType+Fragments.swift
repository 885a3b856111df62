extension Miniscript.Fragment {
    /// The type that the parts give; without exactly one kind if they do not fit together.
    ///
    /// Spec: BIP-379, the tables "Correctness", "Malleability" and "Timelock mixing"; Bitcoin Core, `ComputeType`.
    func computedType(in context: MiniscriptContext) -> MiniscriptType {
        switch self {
        case .zero: [.base, .zeroArguments, .unit, .dissatisfiable, .expressive, .nonmalleable, .safe, .plain]
        case .one: [.base, .zeroArguments, .unit, .forced, .nonmalleable, .plain]
        case .pkK: [.key, .oneArgument, .nonzero, .signature, .plain]
        case .pkH: [.key, .nonzero, .signature, .plain]
        case .multi: [.base, .nonzero, .signature, .unmixed]
        // The item on top is the first key's, and may be empty.
        case .multiA: [.base, .signature, .unmixed]
        case .older(let number):
            [.lock, number & TimeLock.typeFlag == 0 ? .relativeHeight : .relativeTime]
        case .after(let number):
            [.lock, number < TimeLock.firstDate ? .absoluteHeight : .absoluteTime]
        case .hash: [.base, .oneArgument, .nonzero, .unit, .dissatisfiable, .nonmalleable, .unmixed]
        case .wrapped(let wrapper, let x): .wrapping(wrapper, x.type, context)
        case .andV(let x, let y): .andV(x.type, y.type)
        case .andB(let x, let y): .andB(x.type, y.type)
        case .orB(let x, let y): .orB(x.type, y.type)
        case .orC(let x, let y): .orC(x.type, y.type)
        case .orD(let x, let y): .orD(x.type, y.type)
        case .orI(let x, let y): .orI(x.type, y.type)
        case .andOr(let x, let y, let z): .andOr(x.type, y.type, z.type)
        case .threshold(let threshold, let parts): .threshold(threshold, parts.lazy.map(\.type))
        }
    }
}

extension MiniscriptType {
    /// Neither ends in an operation with a form for `VERIFY`, nor mixes locks.
    fileprivate static let plain: Self = [.expensiveVerify, .unmixed]
    /// What is checked against a signature.
    fileprivate static let signature: Self = [.unit, .dissatisfiable, .expressive, .nonmalleable, .safe]
    /// A lock time of either sort.
    fileprivate static let lock: Self = [.base, .zeroArguments, .forced, .nonmalleable, .plain]

    fileprivate static func wrapping(
        _ wrapper: MiniscriptWrapper, _ x: Self, _ context: MiniscriptContext
    ) -> Self {
        let locks = x.intersection([.locks, .unmixed])
        switch wrapper {
        case .alternateStack:
            return [
                .wrapped.when(x.has(.base)), locks,
                x.intersection([.unit, .dissatisfiable, .forced, .expressive, .nonmalleable, .safe]), .expensiveVerify,
            ]
        case .swap:
            return [
                .wrapped.when(x.has([.base, .oneArgument])), locks,
                x.intersection([
                    .unit, .dissatisfiable, .forced, .expressive, .nonmalleable, .safe, .expensiveVerify,
                ]),
            ]
        case .check:
            return [
                .base.when(x.has(.key)), locks,
                x.intersection([.oneArgument, .nonzero, .dissatisfiable, .forced, .expressive, .nonmalleable]),
                .unit, .safe,
            ]
        case .duplicateIf:
            // That the condition is exactly 1 is only a rule of relaying in P2WSH (BIP-342, `MINIMALIF`).
            return [
                .base.when(x.has([.verify, .zeroArguments])), .oneArgument.when(x.has(.zeroArguments)),
                .expressive.when(x.has(.forced)), locks, x.intersection([.nonmalleable, .safe]),
                .nonzero, .dissatisfiable, .expensiveVerify, .unit.when(context == .tapscript),
            ]
        case .verify:
            return [
                .verify.when(x.has(.base)), locks,
                x.intersection([.zeroArguments, .oneArgument, .nonzero, .nonmalleable, .safe]),
                .forced, .expensiveVerify,
            ]
        case .nonzeroIf:
            return [
                .base.when(x.has([.base, .nonzero])), .expressive.when(x.has(.forced)), locks,
                x.intersection([.oneArgument, .unit, .nonmalleable, .safe]),
                .nonzero, .dissatisfiable, .expensiveVerify,
            ]
        case .zeroNotEqual:
            return [
                x.intersection([
                    .base, .zeroArguments, .oneArgument, .nonzero, .dissatisfiable, .forced, .expressive,
                    .nonmalleable, .safe,
                ]), locks, .unit, .expensiveVerify,
            ]
        }
    }

    /// `o` of two parts of which one takes an item and the other none.
    private static func oneOfBoth(_ x: Self, _ y: Self) -> Self {
        x.union(y).intersection(.oneArgument).when(x.union(y).has(.zeroArguments))
    }

    /// The locks of parts of which both are needed.
    private static func locksOfBoth(_ x: Self, _ y: Self) -> Self {
        [x.union(y).intersection(.locks), .unmixed.when(x.intersection(y).has(.unmixed) && !x.mixes(with: y))]
    }

    /// The locks of parts of which one is enough.
    private static func locksOfEither(_ x: Self, _ y: Self) -> Self {
        [x.union(y).intersection(.locks), x.intersection(y).intersection(.unmixed)]
    }

    fileprivate static func andV(_ x: Self, _ y: Self) -> Self {
        [
            y.intersection([.key, .verify, .base]).when(x.has(.verify)),
            x.intersection(.nonzero), y.intersection(.nonzero).when(x.has(.zeroArguments)), oneOfBoth(x, y),
            x.intersection(y).intersection([.dissatisfiable, .nonmalleable, .zeroArguments]),
            x.union(y).intersection(.safe), .forced.when(y.has(.forced) || x.has(.safe)),
            y.intersection([.unit, .expensiveVerify]), locksOfBoth(x, y),
        ]
    }

    fileprivate static func andB(_ x: Self, _ y: Self) -> Self {
        let both = x.intersection(y)
        return [
            x.intersection(.base).when(y.has(.wrapped)), oneOfBoth(x, y),
            x.intersection(.nonzero), y.intersection(.nonzero).when(x.has(.zeroArguments)),
            both.intersection(.expressive).when(both.has(.safe)),
            both.intersection([.dissatisfiable, .zeroArguments, .nonmalleable]),
            .forced.when(both.has(.forced) || x.has([.safe, .forced]) || y.has([.safe, .forced])),
            x.union(y).intersection(.safe), .unit, .expensiveVerify, locksOfBoth(x, y),
        ]
    }

    fileprivate static func orB(_ x: Self, _ y: Self) -> Self {
        let both = x.intersection(y)
        return [
            .base.when(x.has([.base, .dissatisfiable]) && y.has([.wrapped, .dissatisfiable])), oneOfBoth(x, y),
            both.intersection(.nonmalleable).when(x.union(y).has(.safe) && both.has(.expressive)),
            both.intersection([.zeroArguments, .safe, .expressive]),
            .dissatisfiable, .unit, .expensiveVerify, locksOfEither(x, y),
        ]
    }

    /// What `or_c` and `or_d` have in common: the second part is executed if the first is dissatisfied.
    private static func orElse(_ x: Self, _ y: Self) -> Self {
        let both = x.intersection(y)
        return [
            x.intersection(.oneArgument).when(y.has(.zeroArguments)),
            both.intersection(.nonmalleable).when(x.has(.expressive) && x.union(y).has(.safe)),
            both.intersection([.zeroArguments, .safe]), .expensiveVerify, locksOfEither(x, y),
        ]
    }

    fileprivate static func orC(_ x: Self, _ y: Self) -> Self {
        [y.intersection(.verify).when(x.has([.base, .dissatisfiable, .unit])), orElse(x, y), .forced]
    }

    fileprivate static func orD(_ x: Self, _ y: Self) -> Self {
        [
            y.intersection(.base).when(x.has([.base, .dissatisfiable, .unit])), orElse(x, y),
            y.intersection([.unit, .forced, .dissatisfiable, .expressive]),
        ]
    }

    fileprivate static func orI(_ x: Self, _ y: Self) -> Self {
        let (both, either) = (x.intersection(y), x.union(y))
        return [
            both.intersection([.verify, .base, .key, .unit, .forced, .safe]),
            .oneArgument.when(both.has(.zeroArguments)), either.intersection(.expressive).when(either.has(.forced)),
            both.intersection(.nonmalleable).when(either.has(.safe)), either.intersection(.dissatisfiable),
            .expensiveVerify, locksOfEither(x, y),
        ]
    }

    fileprivate static func andOr(_ x: Self, _ y: Self, _ z: Self) -> Self {
        let (all, some) = (x.intersection(y).intersection(z), x.union(y.intersection(z)))
        let isForced = x.has(.safe) || y.has(.forced)
        return [
            y.intersection(z).intersection([.base, .key, .verify]).when(x.has([.base, .dissatisfiable, .unit])),
            all.intersection(.zeroArguments), some.intersection(.oneArgument).when(some.has(.zeroArguments)),
            y.intersection(z).intersection(.unit), z.intersection([.forced, .expressive]).when(isForced),
            z.intersection(.dissatisfiable),
            all.intersection(.nonmalleable).when(x.has(.expressive) && x.union(y).union(z).has(.safe)),
            z.intersection(x.union(y)).intersection(.safe), .expensiveVerify,
            x.union(y).union(z).intersection(.locks), .unmixed.when(all.has(.unmixed) && !x.mixes(with: y)),
        ]
    }

    fileprivate static func threshold(_ threshold: Int, _ parts: some Collection<Self>) -> Self {
        var (arguments, safe) = (0, 0)
        var (allExpressive, allNonmalleable) = (true, true)
        var locks: Self = .unmixed
        for (number, part) in parts.enumerated() {
            guard part.has([number == 0 ? .base : .wrapped, .dissatisfiable, .unit]) else { return [] }
            allExpressive = allExpressive && part.has(.expressive)
            allNonmalleable = allNonmalleable && part.has(.nonmalleable)
            safe += part.has(.safe) ? 1 : 0
            arguments += part.has(.zeroArguments) ? 0 : part.has(.oneArgument) ? 1 : 2
            // With a threshold of one, no two of them are needed together.
            let isUnmixed = locks.intersection(part).has(.unmixed) && (threshold <= 1 || !locks.mixes(with: part))
            locks = [locks.union(part).intersection(.locks), .unmixed.when(isUnmixed)]
        }
        let others = parts.count - threshold
        return [
            .base, .dissatisfiable, .unit, .zeroArguments.when(arguments == 0), .oneArgument.when(arguments == 1),
            .expressive.when(allExpressive && safe == parts.count),
            .nonmalleable.when(allExpressive && allNonmalleable && safe >= others), .safe.when(safe > others), locks,
        ]
    }
}
