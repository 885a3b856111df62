import Testing

@testable import TapManager

/// What stands in the journal was written by a flow, or is left out.
@Suite struct FlowStateTests {
    private static let hash = String(repeating: "ab", count: 32)

    /// Whoever writes a path there that no card can have would have every flow try to bring the card to it, for ever.
    @Test(arguments: ["m/84h/1h/0h/5", "m/0", "m/1h/2h/3h/4h/5h/6h/7h/8h/9h", "m/84h/1h/0h/0/5", "pizza", ""])
    func aPathThatNoCardCanHaveIsNone(_ path: String) {
        #expect(FlowState(.derive, json: #"{"from":"m","to":"\#(path)"}"#) == nil)
        #expect(FlowState(.derive, json: #"{"from":"\#(path)","to":"m"}"#) == nil)
        #expect(FlowState(.sign, json: #"{"ownPath":"\#(path)","total":1,"transaction":"\#(Self.hash)"}"#) == nil)
        let setup = #"{"isCVCChanged":false,"keepsCVC":true,"path":"\#(path)","step":"pickingKey"}"#
        #expect(FlowState(.setup, json: setup) == nil)
    }

    /// That a card was ready when its setup began is left out where it was not, as the first release did.
    @Test func aSetupSaysWhetherTheCardWasReady() throws {
        for wasReady in [false, true] {
            let state = FlowState.setup(
                SetupState(
                    step: .provingKey, chainCode: nil, path: nil, backupFile: nil, keepsCVC: true, isCVCChanged: false,
                    wasReady: wasReady))
            let json =
                #"{"isCVCChanged":false,"keepsCVC":true,"step":"provingKey""# + (wasReady ? #","wasReady":true}"# : "}")
            #expect(state.json == json)
            #expect(FlowState(.setup, json: json) == state)
        }
    }

    @Test(arguments: ["m", "m/84h/1h/0h", "m/1h/2h/3h/4h/5h/6h/7h/8h"])
    func aCardsPathIsRead(_ path: String) {
        #expect(FlowState(.derive, json: #"{"from":"m","to":"\#(path)"}"#) != nil)
        #expect(FlowState(.sign, json: #"{"ownPath":"\#(path)","total":1,"transaction":"\#(Self.hash)"}"#) != nil)
    }
}
