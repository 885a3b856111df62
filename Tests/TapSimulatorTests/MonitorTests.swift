import Testing
import Threads

@Suite struct MonitorTests {
    /// What came just before the time was up is not missed.
    @Test func looksOnceMoreWhenTheTimeIsUp() {
        let monitor = Monitor(0)
        let found = monitor.wait(timeout: .zero) { looks -> Int? in
            looks += 1
            return looks == 2 ? looks : nil
        }
        #expect(found == 2)
    }
}
