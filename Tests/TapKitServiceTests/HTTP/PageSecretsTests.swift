import Testing

@testable import TapKitService

/// The token and the cookie.
@Suite struct PageSecretsTests {
    @Test func theTokenIsGoodOnce() throws {
        let secrets = PageSecrets()
        #expect(secrets.cookie(for: "") == nil)
        #expect(secrets.cookie(for: String(secrets.token.dropLast())) == nil)
        let cookie = try #require(secrets.cookie(for: secrets.token))
        #expect(secrets.cookie(for: secrets.token) == nil)
        #expect(secrets.isCookie(cookie))
        #expect(!secrets.isCookie(secrets.token))
        #expect(!secrets.isCookie(""))
        #expect(!secrets.isCookie(cookie + "="))
    }

    @Test func theyAreLongAndDifferEachTime() throws {
        let (first, second) = (PageSecrets(), PageSecrets())
        let cookies = [first, second].compactMap { $0.cookie(for: $0.token) }
        let all = [first.token, second.token] + cookies
        #expect(Set(all).count == 4)
        let alphabet = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        #expect(all.allSatisfy { $0.count == 43 && $0.allSatisfy(alphabet.contains) })
        #expect(!second.isCookie(cookies[0]))
    }

    @Test func nobodyHasTheCookieBeforeTheTokenIsSpent() throws {
        let secrets = PageSecrets()
        #expect(!secrets.isCookie(""))
        let cookie = try #require(secrets.cookie(for: secrets.token))
        #expect(secrets.isCookie(cookie))
    }
}
