import ByteCodec
import LyingCards
import TapSimulator
import TestSupport
import Testing

@testable import TapProtocol

/// Whole answers that are not the card's: cut, lengthened, replayed, another card's, with fields less or more, with
/// another status word. For every product and version, every step, and every answer of it; of the many that cut,
/// lengthen, and change words and fields one in eight, of the steps on another card one in three (`MatrixShare`).
@Suite struct LieMatrixTests {
    /// What a lie may lead to, beside an error.
    private enum Tolerance {
        /// Nothing but an error.
        case error
        /// An error, or the honest result.
        case honest
        /// Nothing but the honest result.
        case onlyHonest
        /// An error, the honest result, or another one from an answer that differs in these fields without proof.
        case unproven(Set<String>)
        /// Anything: the command ran twice, and was meant to.
        case anything
    }

    /// Which lies are told, and what came of them.
    private struct Tally {
        var share: MatrixShare
        var counts = VerdictCounts()

        init(_ title: String, _ model: MatrixModel, oneOf lies: Int) {
            share = MatrixShare(oneOf: lies, of: "\(title), \(model.testDescription)")
        }
    }

    /// Each step once, in the first scene that has it.
    private static func trials(_ model: MatrixModel) throws -> [Trial] {
        var names: Set<String> = []
        return try Scene.allCases.filter(Scene.of(model.product).contains).flatMap { scene in
            let card = try MatrixCard(model, scene)
            return try MatrixStep.of(model, scene).filter { names.insert($0.name).inserted }
                .map { try Trial.of($0, on: card) }
        }
    }

    /// Tells a lie, if its turn comes. Most are not told, and their answers are never made. One that is drawn can turn out
    /// to be the truth.
    private func tell(
        _ lie: @autoclosure () -> String, _ answer: @autoclosure () -> [UInt8], to trial: Trial, _ target: Int,
        _ tolerance: @autoclosure () -> Tolerance, _ tally: inout Tally
    ) {
        guard tally.share.takesNext() else { return }
        let answer = answer()
        guard answer != trial.exchanges[target].answer else { return }
        let verdict = trial.play(target, answer)
        let name = trial.exchanges[target].name
        tally.counts.count(verdict, of: name)
        // After a wrong CVC it is wrong, whatever `status` says.
        let isIgnored = trial.step.isRefused && name == "status"
        let isFine =
            switch (verdict, tolerance()) {
            case (.failed, .onlyHonest): false
            case (.unchanged, .error): isIgnored
            case (.failed, _), (.unchanged, _), (_, .anything): true
            case (.changed, .unproven(let fields)):
                FieldDifference.of(trial.exchanges[target].answer, answer).isSubset(of: fields)
            case (.changed, _): false
            }
        #expect(isFine, "\(trial.description), \(name) \(lie()): \(verdict)")
    }

    /// Fields whose change may change a step's result.
    private static func unproven(_ trial: Trial, _ target: Int) -> Set<String> {
        Set(trial.fieldsWithoutProof(target).map(\.name))
            .union(["card_nonce"])
    }

    @Test(arguments: MatrixModel.all + MatrixModel.habitual)
    func cutAndLengthened(model: MatrixModel) async throws {
        try await LongWork.run {
            var tally = Tally("Cut and lengthened", model, oneOf: 8)
            for trial in try Self.trials(model) {
                for target in trial.targets {
                    let answer = trial.exchanges[target].answer
                    for count in 0..<(answer.count - 2) {
                        tell("cut to \(count)", answer.prefix(count) + [0x90, 0x00], to: trial, target, .error, &tally)
                        // Its last bytes are then taken for a status word.
                        tell(
                            "broken off after \(count)", Array(answer.prefix(count)), to: trial, target,
                            Self.tolerance(ofWord: answer.prefix(count).suffix(2), trial, target), &tally)
                    }
                    let data = Array(answer.dropLast(2))
                    for (lie, longer) in [
                        ("doubled", answer + answer), ("with its map doubled", data + answer),
                        ("with a byte more", data + [0x00, 0x90, 0x00]),
                        ("with an item more", data + [0xA0, 0x90, 0x00]),
                        ("with bytes behind", answer + [0x00]), ("empty", [0x90, 0x00]),
                        ("no map", [0x80, 0x90, 0x00]),
                    ] { tell(lie, longer, to: trial, target, .error, &tally) }
                    // What these answers have is promised, and needed for no proof.
                    let isNeedless = ["new", "change", "wait"].contains(trial.exchanges[target].name)
                    tell("an empty map", [0xA0, 0x90, 0x00], to: trial, target, isNeedless ? .honest : .error, &tally)
                }
            }
            print(tally.counts.text(title: "Cut and lengthened, \(model.testDescription)"))
        }
    }

    @Test(arguments: MatrixModel.all + MatrixModel.habitual)
    func statusWords(model: MatrixModel) async throws {
        try await LongWork.run {
            var tally = Tally("Status words", model, oneOf: 8)
            for trial in try Self.trials(model) {
                for target in trial.targets {
                    let data = Array(trial.exchanges[target].answer.dropLast(2))
                    for first in UInt8.min...UInt8.max {
                        let word = [first, first == 0x90 ? 0x01 : 0x00]
                        func tell(_ lie: String, _ answer: @autoclosure () -> [UInt8]) {
                            self.tell(
                                "\(lie) \(Hex.encode(word))", answer(), to: trial, target,
                                Self.tolerance(ofWord: word[...], trial, target), &tally)
                        }
                        tell("with", data + word)
                        if (0x60...0x6F).contains(first) { tell("nothing but", word) }
                    }
                }
            }
            print(tally.counts.text(title: "Status words, \(model.testDescription)"))
        }
    }

    /// At 61xx the line asks for more; at 6Cxx without data it sends again; after 6D00 without data the card is selected,
    /// and asked again.
    private static func tolerance(ofWord word: ArraySlice<UInt8>, _ trial: Trial, _ target: Int) -> Tolerance {
        guard word.count == 2, let first = word.first else { return .error }
        return [0x61, 0x6C].contains(first) || word.elementsEqual([0x6D, 0x00])
            ? afterRepetition(trial, target) : .error
    }

    /// Sent once more, `wait` and `backup` count once more, as they should, and a link has another nonce.
    private static func afterRepetition(_ trial: Trial, _ target: Int) -> Tolerance {
        ["wait", "backup", "nfc"].contains(trial.exchanges[target].name) ? .anything : .honest
    }

    @Test(arguments: MatrixModel.all + MatrixModel.habitual)
    func fieldsLessAndMore(model: MatrixModel) async throws {
        try await LongWork.run {
            var tally = Tally("Fields less and more", model, oneOf: 8)
            for trial in try Self.trials(model) {
                for target in trial.targets {
                    let exchange = trial.exchanges[target]
                    let context = LiarContext(exchange: CardExchange(number: 1, command: exchange.command))
                    func tell(_ lie: Lie, _ tolerance: Tolerance) {
                        self.tell(
                            lie.description, lie.tell(exchange.answer, context), to: trial, target, tolerance, &tally)
                    }
                    let optional = Set(
                        trial.fieldsWithoutProof(target).filter(\.isOptional).map(\.name))
                    let unproven = Self.unproven(trial, target)
                    let anatomy = try #require(AnswerAnatomy(exchange.answer))
                    for field in anatomy.fields {
                        tell(.remove(field.name), .unproven(optional))
                        tell(.rename(field.name, to: "another"), .unproven(optional.union(["another"])))
                        tell(.duplicate(field.name), .error)
                        tell(.duplicate(field.name, as: .null), .error)
                        for type in Lie.ValueType.allCases {
                            tell(.retype(field.name, as: type), .unproven(unproven))
                        }
                    }
                    for (name, value) in [
                        ("future", CBORValue.array([.null, .map(["deep": .bool(true)])])), ("", .unsigned(.max)),
                        ("SIG", .bytes([1])), ("futur\u{E9}", .text("\u{1B}[2J")),
                        ("x", .other([0xFB] + [UInt8](repeating: 0x7F, count: 8))),
                    ] { tell(.add(name, value), .onlyHonest) }
                    for lie in [Lie.reverse] + Lie.HeadWidth.allCases.map(Lie.longHeads) { tell(lie, .onlyHonest) }
                    for lie in [Lie.countTooGreat, .endless, .tagged, .nested(1), .nested(100)] { tell(lie, .error) }
                    for code in [205, 400, 401, 403, 404, 405, 406, 417, 422, 425, 429, 0, 99, 65_536] as [UInt64] {
                        // A card without the command for its link is read as a tag.
                        let isReplaced = exchange.name == "nfc" && code == 404
                        let isRepeated = [205, 417].contains(code)
                        // With habits, the card's own refusal in other bytes.
                        let isTrue = code == 401 && trial.step.isRefused
                        tell(
                            .error(code),
                            isReplaced
                                ? .anything
                                : isTrue ? .honest : isRepeated ? Self.afterRepetition(trial, target) : .error)
                    }
                }
            }
            print(tally.counts.text(title: "Fields less and more, \(model.testDescription)"))
        }
    }

    /// Every answer the card gave at another time, when we drew other numbers, or to another command; what it said of itself at the other time counts
    /// as unproven where the list says so.
    @Test(arguments: MatrixModel.all + MatrixModel.habitual)
    func replayed(model: MatrixModel) async throws {
        try await LongWork.run {
            var tally = Tally("Replayed", model, oneOf: 1)
            for scene in Scene.allCases where Scene.of(model.product).contains(scene) {
                let steps = MatrixStep.of(model, scene)
                let card = try MatrixCard(model, scene)
                let trials = try steps.map { try Trial.of($0, on: card) }
                let earlier = try MatrixCard(model, scene, earlierPowerCycles: 1)
                let history = try steps.flatMap { step in
                    try Trial(step.anyLuck, on: earlier, random: ScriptedRandom([9, 9, 9])).exchanges
                }
                for trial in trials {
                    for target in trial.targets {
                        let exchange = trial.exchanges[target]
                        var unproven = Self.unproven(trial, target)
                        // Nothing ties an `xpub` to its request, so that an old one makes any CVC look right. An old
                        // signature does not: see the step that probes with a wrong CVC.
                        if trial.step.name == "test with a wrong CVC" { unproven.formUnion(["error", "code", "xpub"]) }
                        var told: Set<[UInt8]> = []
                        for old in history + trial.exchanges where old.answer != exchange.answer {
                            guard told.insert(old.answer).inserted else { continue }
                            // With the same randomness twice, and without the slot's number, another slot's keys are
                            // as good; a session key is never the same twice.
                            let isAnotherSlots = old.name == "unseal" && exchange.name == "dump"
                            if isAnotherSlots, model.habits.contains(.missingFields) { continue }
                            // The delay that an answer names is a word of the card's, whichever answer it is.
                            tell(
                                "answered as `\(old.name)` before", old.answer, to: trial, target,
                                exchange.name == "wait" ? .anything : .unproven(unproven), &tally)
                        }
                    }
                }
            }
            print(tally.counts.text(title: "Replayed, \(model.testDescription)"))
        }
    }

    /// Every answer as another card of the same product, version and state gives it.
    @Test(arguments: MatrixModel.all + MatrixModel.habitual)
    func swapped(model: MatrixModel) async throws {
        try await LongWork.run {
            var tally = Tally("Swapped", model, oneOf: 1)
            var steps = MatrixShare(oneOf: 3, of: "Swapped at, \(model.testDescription)")
            for scene in Scene.allCases where Scene.of(model.product).contains(scene) {
                let card = try MatrixCard(model, scene)
                let other = try MatrixCard(model, scene, seed: 99).core
                for step in MatrixStep.of(model, scene) where steps.takesNext() {
                    let trial = try Trial.of(step, on: card)
                    let answers = trial.answers(of: other)
                    for target in trial.targets where answers[target] != trial.exchanges[target].answer {
                        var unproven = Self.unproven(trial, target)
                        // A link about an opened slot is tied to the card by nothing when `status` shows no address.
                        if step.name == "tapLink", trial.honest.status.slots != nil, trial.honest.status.address == nil
                        {
                            unproven.insert("url")
                        }
                        // Without the CVC nothing proves what the card says of an opened slot.
                        if step.name == "dump of an opened slot without CVC" { unproven.formUnion(["addr", "pubkey"]) }
                        tell("of another card", answers[target], to: trial, target, .unproven(unproven), &tally)
                    }
                }
            }
            print(tally.counts.text(title: "Swapped, \(model.testDescription)"))
        }
    }
}
