import TestSupport
import Testing

@testable import TapSimulator

@Suite struct OptionsTests {
    private func isRefused(_ product: SimulatedProduct, _ change: (inout SimulatedCardOptions) -> Void) -> Bool {
        var options = SimulatedCardOptions(product: product)
        change(&options)
        do throws(SimulatedCardError) { _ = try SimulatedCardState(options: options) } catch {
            return error.kind == .badOptions
        }
        return false
    }

    @Test func refusesWhatNoCardHas() {
        #expect(isRefused(.tapsigner) { $0.cvc = "12345" })
        #expect(isRefused(.tapsigner) { $0.cvc = String(repeating: "1", count: 33) })
        #expect(isRefused(.tapsigner) { $0.cvc = "12345a" })
        #expect(isRefused(.tapsigner) { $0.cvc = "١٢٣٤٥٦" })
        #expect(isRefused(.satscard) { $0.cvc = "1234567" })
        #expect(isRefused(.tapsigner) { $0.unluckyPercent = 101 })
        #expect(isRefused(.tapsigner) { $0.unluckyPercent = -1 })
        #expect(isRefused(.tapsigner) { $0.usedSlots = 1 })
        #expect(isRefused(.satscard) { $0.usedSlots = 11 })
        #expect(isRefused(.tapsigner) { $0.seed = [] })
    }

    @Test func takesWhatCardsHave() {
        #expect(!isRefused(.tapsigner) { $0.cvc = String(repeating: "1", count: 32) })
        #expect(!isRefused(.satscard) { $0.cvc = "123456" })
        #expect(!isRefused(.satscard) { $0.usedSlots = 10 })
        #expect(!isRefused(.tapsigner) { $0.isBlank = true })
        #expect(!isRefused(.satschip) { $0.version = .v100 })
    }

    @Test func theFactoryPicksWhatIsNotSaid() throws {
        for product in SimulatedProduct.allCases {
            let record = try SimulatedCard(SimulatedCardOptions(product: product), waitDuration: .zero).record
            #expect(record.cvc.utf8.count == 6 && record.cvc.utf8.allSatisfy { (48...57).contains($0) })
            #expect((record.cvc == "123456") == (product == .satschip))
            #expect((700_000...999_999).contains(record.birthHeight))
            #expect((record.aesKey?.utf8.count ?? 32) == 32)
            #expect((record.aesKey != nil) == (product == .tapsigner))
            #expect(try record.ident.utf8.count == 23)
            #expect(try record.masterKey == nil)
            #expect((try record.slots == nil) == (product != .satscard))
        }
    }
}
