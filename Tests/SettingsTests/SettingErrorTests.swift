import ExplainedErrors
import Testing

@testable import Settings

/// What is wrong with a setting is said where it is: after its variable, its key, or its file.
@Suite struct SettingErrorTests {
    private static func error(_ text: String, toChange key: ConfigurationKey? = nil) -> SettingError? {
        do throws(SettingError) {
            _ = try ConfigurationFile.values(of: Array(text.utf8), in: "/c.json", except: key)
            return nil
        } catch { return error }
    }

    @Test func aSavedValueIsNamedWithItsFile() throws {
        let error = try #require(Self.error(#"{"network":"moon"}"#))
        #expect(error.code == .badConfiguration && error.savedKey == .network && error.advice == nil)
        #expect(error.message == "/c.json: network: Unknown network “moon”.")
        #expect(error.remedy == "Choose from: main, test, testnet4, signet, regtest.")
        // It is about to be replaced.
        #expect(Self.error(#"{"network":"moon"}"#, toChange: .network) == nil)
        #expect(Self.error(#"{"network":"moon","reader":"floppy"}"#, toChange: .network)?.savedKey == .reader)
    }

    @Test func aFileThatIsNoConfigurationIsCorrectedAsAWhole() throws {
        for text in ["", "{", "[]", #"{"network":1}"#] {
            let error = try #require(Self.error(text), "\(text)")
            #expect(error.code == .badConfiguration && error.savedKey == nil && error.advice == .file)
            #expect(error.message == "/c.json: it is not a JSON object whose values are strings.")
        }
        let unknown = try #require(Self.error(#"{"networks":"main"}"#))
        #expect(unknown.message == "/c.json: unknown key “networks”." && unknown.advice == nil)
        #expect(unknown.remedy == "Keys: reader, network, chain, data-dir, root-key, proxy.")
    }

    /// Nobody can tell which of its values counts: all of them must go.
    @Test func aKeyThatAppearsTwiceIsNamed() throws {
        let text = #"{"network":"main","reader":"nfc","network":"test"}"#
        let twice = try #require(Self.error(text))
        #expect(twice.code == .badConfiguration && twice.repeatedKey == "network" && twice.advice == nil)
        #expect(twice.message == "/c.json: the key “network” appears more than once.")
        // All of them are about to be replaced.
        #expect(Self.error(text, toChange: .network) == nil)
        #expect(Self.error(text, toChange: .reader)?.repeatedKey == "network")
        #expect(Self.error(#"{"hue":"1","hue":"1"}"#)?.repeatedKey == "hue")
        #expect(Self.error(#"{"network":"main","network":1}"#)?.advice == .file)
    }

    @Test(arguments: [
        ("socks5h://127.0.0.1:9050", true), ("http://p:1", true), ("socks5h://", false), ("ftp://p:1", false),
        ("", false),
    ]) func aProxyIsASchemeAndAPlace(_ text: String, _ isRight: Bool) {
        let setting = Setting(configured: text, key: .proxy)
        #expect((try? setting.proxyURL()) == (isRight ? text : nil))
    }

    /// The code says where to look: at the command line, the environment, or the configuration.
    @Test func theCodeIsThatOfThePlace() throws {
        let option = try #require(Setting(option: "floppy", variable: "READER")).invalid("It is old.")
        #expect(option.code == .usage && option.message == "It is old.")
        let saved = Setting(configured: "floppy", key: .reader).invalid("It is old.", remedy: "Take a new one.")
        #expect(saved.code == .badConfiguration && saved.message == "reader: It is old.")
        #expect(saved.remedy == "Take a new one." && saved.savedKey == nil)
    }
}
