import Bitcoin
import TestSupport
import Testing

/// Writes a PSBT that spends a wallet's coins, and lies: an outsider, or one of the cosigners, who knows every extended key
/// and has keys of his own.
struct PSBTWriter {
    /// What a lie is about.
    enum Lie: CaseIterable {
        case ownKeyForAnother, anotherPlace, everyKeyElsewhere, namelessKey, exchangedNames, threshold, form, order
        case seatMissing, seatAdded, extendedKeyMissing, ownExtendedKeyForAnother, childOfOwnExtendedKey
        case inputOfOwnMaking, inputFarAway, exchangedNamesInAnInput, singleKey
        case takenSeat, takenSeatByAChild, inputUnderOthersNames, dustElsewhere, childrenForAccounts
        case conditions, exchangedSeats
    }

    let wallet: RandomWallet
    /// Whose keys the liar has.
    let liar: RandomWallet.Signer
    /// The liar's number in the wallet; `nil`: an outsider.
    let seat: Int?

    init(_ wallet: RandomWallet, using generator: inout SeededGenerator) throws {
        self.wallet = wallet
        let others = wallet.signers.indices.filter { $0 > 0 && wallet.signers[$0].branch == 0 }
        if let seat = others.randomElement(using: &generator), Int.random(in: 0..<4, using: &generator) > 0 {
            (self.seat, liar) = (seat, wallet.signers[seat])
        } else {
            seat = nil
            liar = RandomWallet.Signer(
                wallet: try RandomWallet(using: &generator).signers[0].wallet, account: wallet.signers[0].account)
        }
    }

    /// A place that is near, far, or of another branch.
    private func place(using generator: inout SeededGenerator) throws -> DerivationPath {
        let branch = [0, 1, 1, 1, 2, 77].randomElement(using: &generator) ?? 1
        let top = (wallet.usedIndexes.max() ?? 0) + RandomWallet.gap
        let index = [
            Int.random(in: 0...top, using: &generator), top + 1, Int.random(in: 0...0x7FFF_FFFF, using: &generator),
            2_000_000_000,
        ].randomElement(using: &generator)
        return try DerivationPath(parsing: "\(branch)/\(index ?? 0)")
    }

    /// A seat of the change that is not the card's, if there is one.
    private func otherSeat(
        _ psbt: CraftedPSBT, besides: Int? = nil, using generator: inout SeededGenerator
    ) -> Int? {
        psbt.outputs[0].script.seats.indices.filter { $0 != 0 && $0 != besides }.randomElement(using: &generator)
    }

    /// A master key of the liar's making for a seat.
    private func stranger(_ seat: Int) throws -> ExtendedPrivateKey {
        try ExtendedPrivateKey(
            seed: SecretBytes(liar.wallet.master.neutered.chainCode.bytes.dropLast() + [UInt8(seat)]), network: .test)
    }

    /// The place beside that of the liar's own key in the change.
    private func nextToOwnKey(_ psbt: CraftedPSBT) throws -> DerivationPath {
        let steps = psbt.outputs[0].script.seats[0].path.steps.suffix(2)
        let (branch, index) = (steps.first?.index ?? 0, (steps.last?.index ?? 0) ^ 1)
        return liar.account.appending(try DerivationPath(parsing: "\(branch)/\(index)"))
    }

    /// Gives another cosigner's keys and extended key the liar's own name and path, everywhere.
    /// - Returns: the other's number; `nil` when there is none, or the liar is an outsider.
    private func callAnotherByOwnName(
        in psbt: inout CraftedPSBT, using generator: inout SeededGenerator
    ) -> Int? {
        let others = wallet.signers.indices.filter { $0 != 0 && $0 != seat }
        guard seat != nil, let victim = others.randomElement(using: &generator),
            let listed = psbt.extendedKeys.firstIndex(where: {
                $0.origin.fingerprint == wallet.signers[victim].wallet.fingerprint
            })
        else { return nil }
        let (name, own) = (liar.wallet.fingerprint, wallet.signers[victim])
        psbt.extendedKeys[listed].origin = KeyOrigin(fingerprint: name, path: liar.account)
        func rename(_ seat: inout CraftedScript.Seat) {
            let depth = own.account.steps.count
            guard seat.name == own.wallet.fingerprint else { return }
            seat.name = name
            seat.namedPath = liar.account.appending(DerivationPath(seat.path.steps.dropFirst(depth)))
        }
        for input in psbt.inputs.indices {
            for seat in psbt.inputs[input].script.seats.indices { rename(&psbt.inputs[input].script.seats[seat]) }
        }
        for seat in psbt.outputs[0].script.seats.indices { rename(&psbt.outputs[0].script.seats[seat]) }
        return psbt.outputs[0].script.seats.indices.contains(victim) ? victim : nil
    }

    /// Tells one lie more.
    func tell(_ lie: Lie, in psbt: inout CraftedPSBT, using generator: inout SeededGenerator) throws {
        guard !psbt.outputs[0].script.seats.isEmpty else { return }
        switch lie {
        case .ownKeyForAnother:
            guard let other = otherSeat(psbt, besides: seat, using: &generator) else { return }
            let own = CraftedScript.Seat(liar.wallet, liar.account.appending(try place(using: &generator)))
            let named = psbt.outputs[0].script.seats[other]
            psbt.outputs[0].script.seats[other] = own
            if Bool.random(using: &generator) {
                psbt.outputs[0].script.seats[other].name = named.name
                psbt.outputs[0].script.seats[other].namedPath = named.namedPath
            }
        case .anotherPlace:
            guard let other = otherSeat(psbt, using: &generator), other < wallet.signers.count else { return }
            let path = wallet.signers[other].account.appending(try place(using: &generator))
            psbt.outputs[0].script.seats[other].path = path
            if Bool.random(using: &generator) { psbt.outputs[0].script.seats[other].namedPath = path }
        case .everyKeyElsewhere:
            let place = try place(using: &generator)
            for (index, signer) in wallet.signers.enumerated() where index < psbt.outputs[0].script.seats.count {
                psbt.outputs[0].script.seats[index] = .init(signer.wallet, signer.path(place))
            }
        case .namelessKey:
            guard let other = otherSeat(psbt, using: &generator) else { return }
            psbt.outputs[0].script.seats[other].name = nil
        case .exchangedNames:
            guard let one = otherSeat(psbt, using: &generator),
                let two = otherSeat(psbt, besides: one, using: &generator)
            else { return }
            psbt.outputs[0].script.exchangeNames(one, two)
        case .threshold:
            let count = psbt.outputs[0].script.seats.count
            psbt.outputs[0].script.threshold = Int.random(in: 1...count, using: &generator)
        case .form:
            psbt.outputs[0].script.form = .multisig(
                SampleMultisig.Form.allCases.randomElement(using: &generator) ?? .p2sh)
        case .order: psbt.outputs[0].script.isSorted.toggle()
        case .seatMissing:
            guard let other = otherSeat(psbt, using: &generator), psbt.outputs[0].script.seats.count > 2 else { return }
            psbt.outputs[0].script.seats.remove(at: other)
            psbt.outputs[0].script.threshold = 1
        case .seatAdded:
            if case .single = psbt.outputs[0].script.form { psbt.outputs[0].script.form = .multisig(.p2wsh) }
            psbt.outputs[0].script.seats.append(
                .init(liar.wallet, liar.account.appending(try place(using: &generator))))
        case .extendedKeyMissing:
            guard let index = psbt.extendedKeys.indices.randomElement(using: &generator) else { return }
            psbt.extendedKeys.remove(at: index)
        case .ownExtendedKeyForAnother:
            guard let index = psbt.extendedKeys.indices.randomElement(using: &generator) else { return }
            psbt.extendedKeys[index].key = try liar.wallet.extendedKey(psbt.extendedKeys[index].origin.path)
        case .childOfOwnExtendedKey:
            let branch = liar.account.appending(
                try DerivationPath(parsing: "\(Int.random(in: 0...1, using: &generator))"))
            psbt.extendedKeys.append(
                (
                    try liar.wallet.extendedKey(branch),
                    KeyOrigin(fingerprint: liar.wallet.fingerprint, path: branch)
                ))
        case .inputOfOwnMaking:
            // What he would have everything come back to.
            psbt.inputs.append((psbt.outputs[0].script, 5_000))
        case .inputFarAway:
            psbt.inputs.append((try wallet.script(0, Int.random(in: 50_000...0x7FFF_0000, using: &generator)), 5_000))
        case .exchangedNamesInAnInput:
            guard let input = psbt.inputs.indices.randomElement(using: &generator) else { return }
            let seats = psbt.inputs[input].script.seats.indices.dropFirst().shuffled(using: &generator)
            guard seats.count > 1 else { return }
            psbt.inputs[input].script.exchangeNames(seats[0], seats[1])
        case .takenSeat:
            guard let victim = callAnotherByOwnName(in: &psbt, using: &generator) else { return }
            psbt.outputs[0].script.seats[victim] = .init(liar.wallet, try nextToOwnKey(psbt))
        case .takenSeatByAChild:
            // An extended key for each of his two keys, one of them a step below the other.
            guard let victim = callAnotherByOwnName(in: &psbt, using: &generator) else { return }
            psbt.outputs[0].script = try wallet.script(0, 7)
            psbt.outputs[0].script.seats[victim] = .init(liar.wallet, try nextToOwnKey(psbt))
            let branch = liar.account.appending(try DerivationPath(parsing: "0"))
            psbt.extendedKeys.append(
                (try liar.wallet.extendedKey(branch), KeyOrigin(fingerprint: liar.wallet.fingerprint, path: branch)))
        case .inputUnderOthersNames:
            var trap = try wallet.script(0, wallet.usedIndexes[0])
            for seat in trap.seats.indices.dropFirst() {
                trap.seats[seat].holder = SampleWallet(master: try stranger(seat))
                let origin = KeyOrigin(
                    fingerprint: wallet.signers[seat].wallet.fingerprint, path: wallet.signers[seat].account)
                psbt.extendedKeys.append((try trap.seats[seat].holder.extendedKey(origin.path), origin))
            }
            psbt.inputs.append((trap, 5_000))
            psbt.outputs[0].script = trap
        case .dustElsewhere:
            // A little for another path of the card's, to which everything comes back.
            let card = wallet.signers[0]
            let account = try DerivationPath(parsing: "m/84h/1h/\(Int.random(in: 21...999_999, using: &generator))h")
            let (spent, back) = (try place(using: &generator), try place(using: &generator))
            psbt.outputs[0].script = CraftedScript(
                wallet.form, threshold: 1, [.init(card.wallet, account.appending(back))])
            guard case .single = wallet.form else { return psbt.outputs[0].script.form = .single(.p2wpkh) }
            psbt.inputs.append(
                (CraftedScript(wallet.form, threshold: 1, [.init(card.wallet, account.appending(spent))]), 600))
        case .childrenForAccounts:
            // The others' extended keys are those of a branch, said to be their accounts', and their keys' names a step shorter.
            guard wallet.signers.count > 1, seat != nil else { return }
            let branch = try DerivationPath(parsing: "0")
            for index in psbt.extendedKeys.indices.dropFirst() {
                guard
                    let signer = wallet.signers.first(where: {
                        $0.wallet.fingerprint == psbt.extendedKeys[index].origin.fingerprint
                    }), let key = try? signer.wallet.extendedKey(signer.account.appending(branch))
                else { continue }
                let lying = ExtendedPublicKey(
                    network: key.network, depth: UInt8(psbt.extendedKeys[index].origin.path.steps.count),
                    childNumber: key.childNumber,
                    chainCode: key.chainCode,
                    publicKey: key.publicKey)
                psbt.extendedKeys[index].key = lying
            }
            for input in psbt.inputs.indices {
                for seat in psbt.inputs[input].script.seats.indices.dropFirst() {
                    let path = psbt.inputs[input].script.seats[seat].namedPath.steps
                    psbt.inputs[input].script.seats[seat].namedPath = DerivationPath(path.dropLast(2) + path.suffix(1))
                }
            }
            for seat in psbt.outputs[0].script.seats.indices.dropFirst() where seat < wallet.signers.count {
                let named = psbt.outputs[0].script.seats[seat].namedPath
                psbt.outputs[0].script.seats[seat].path = wallet.signers[seat].account.appending(branch)
                    .appending(DerivationPath(named.steps.suffix(2)))
            }
        case .conditions:
            // Those of a wallet that has some, or others in place of a multisig.
            var policy = CraftedPolicy(.recovery, lock: 144)
            if case .policy(let own) = wallet.form { policy = own }
            switch Int.random(in: policy.shape == .secret ? -1..<3 : 0..<3, using: &generator) {
            case -1: policy.secret ^= 1
            case 0: policy.lock = [1, policy.lock - 1, policy.lock + 1].randomElement(using: &generator) ?? 1
            case 1: policy.shape = CraftedPolicy.Shape.allCases.randomElement(using: &generator) ?? .decaying
            default: policy.isNested.toggle()
            }
            psbt.outputs[0].script.form = .policy(policy)
        case .exchangedSeats:
            let seats = psbt.outputs[0].script.seats.indices.shuffled(using: &generator)
            guard seats.count > 1 else { return }
            psbt.outputs[0].script.seats.swapAt(seats[0], seats[1])
        case .singleKey:
            psbt.outputs[0].script.form = .single(.p2wpkh)
            psbt.outputs[0].script.seats = [psbt.outputs[0].script.seats[0]]
        }
    }
}

extension CraftedScript {
    /// Says of two keys that each is the other's.
    fileprivate mutating func exchangeNames(_ one: Int, _ two: Int) {
        let (first, second) = (seats[one], seats[two])
        (seats[one].name, seats[one].namedPath) = (second.name, second.namedPath)
        (seats[two].name, seats[two].namedPath) = (first.name, first.namedPath)
    }
}
