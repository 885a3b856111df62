import TapSimulator
import TestSupport
import Testing

@testable import TapProtocol

/// The flip matrix: every byte of every answer to every step of a flow, for every product, version and state of a card,
/// is altered on the way. The step ends in a typed error, or in the same verified result as without, and then the next
/// command fails or is right. What is neither is a field without proof, and those are listed by name.
///
/// Every byte of signatures, keys, nonces and addresses has one bit flipped, every other byte gets one of several values; or
/// all of them (`MatrixShare`).
@Suite struct FlipMatrixTests {
    /// What came of one model's alterations.
    private struct Report: Sendable {
        var tally = VerdictCounts()
        /// The fields without proof whose alteration changed a result, by their list's name.
        var changed: [String: Set<String>] = [:]
    }

    @Test func everyByteOfEveryAnswer() async throws {
        let changed = try await withThrowingTaskGroup(of: Report.self) { group in
            for model in MatrixModel.all { group.addTask { try await LongWork.run { try Self.report(on: model) } } }
            return try await group.reduce(into: [:]) { $0.merge($1.changed) { $0.union($1) } }
        }
        // The list is as short as it can be.
        let listed = FieldWithoutProof.byCommand.merging(FieldWithoutProof.byStep) { $1 }
        #expect(changed == listed.mapValues { Set($0.map { $0.name }) })
    }

    /// With habits, every third byte: what is proven is proven of them too.
    @Test func everyByteOfEveryAnswerWithHabits() async throws {
        let changed = try await withThrowingTaskGroup(of: Report.self) { group in
            for model in MatrixModel.habitual {
                group.addTask { try await LongWork.run { try Self.report(on: model, oneOf: 3) } }
            }
            return try await group.reduce(into: [:]) { $0.merge($1.changed) { $0.union($1) } }
        }
        let listed = FieldWithoutProof.byCommand.merging(FieldWithoutProof.byStep) { $1 }
            .merging(FieldWithoutProof.withDerivedKeySigning) { $0 + $1 }
        for (name, fields) in changed {
            #expect(fields.isSubset(of: Set(listed[name, default: []].map { $0.name })), "\(name)")
        }
    }

    private static func report(on model: MatrixModel, oneOf bytes: Int = 1) throws -> Report {
        var report = Report()
        var share = MatrixShare(oneOf: bytes, of: "Flips, \(model.testDescription)")
        for scene in Scene.allCases where Scene.of(model.product).contains(scene) {
            let card = try MatrixCard(model, scene)
            for step in MatrixStep.of(model, scene) {
                try alter(try Trial.of(step, on: card), &share, &report)
            }
        }
        print(report.tally.text(title: "Flips, \(model.testDescription)"))
        #expect(report.tally.total > 1_000)
        return report
    }

    private static func alter(_ trial: Trial, _ share: inout MatrixShare, _ report: inout Report) throws {
        for target in trial.targets {
            let exchange = trial.exchanges[target]
            guard case .unchanged = trial.play(target, exchange.answer), !trial.hasLeftTape else {
                Issue.record("\(trial.description): the honest run cannot be repeated")
                continue
            }
            let alterations = try #require(Alterations(of: exchange.answer))
            let anatomy = alterations.anatomy
            #expect(anatomy.map == 0..<(exchange.answer.count - 2))
            let list = FieldWithoutProof.list(
                for: exchange.name, in: trial.step.name, on: trial.card.model.habits)
            for offset in anatomy.map where share.takesNext() {
                for value in share.ofNext(alterations.values(at: offset)) {
                    var answer = exchange.answer
                    answer[offset] = value
                    let verdict = trial.play(target, answer)
                    report.tally.count(verdict, of: exchange.name)
                    var place: String { "\(trial.description), \(exchange.name), byte \(offset) = \(value)" }
                    if trial.wrongCVCs > trial.wrongCVCsBefore + 1 { Issue.record("\(place): a CVC tried twice") }
                    guard case .changed(let outcome) = verdict else { continue }
                    if let name = FieldWithoutProof.name(of: offset, in: anatomy, among: list.fields) {
                        report.changed[list.name, default: []].insert(name)
                    } else {
                        Issue.record("\(place): \(outcome.text)")
                    }
                }
            }
        }
    }
}
