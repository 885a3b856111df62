import FlyingFox

import struct Foundation.Data

extension HTTPResponse {
    /// What every answer tells the browser: nothing from elsewhere, in no frame, kept nowhere.
    private static let headers: [HTTPHeader: String] = [
        HTTPHeader("Content-Security-Policy"): [
            "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data: blob:",
            "connect-src 'self'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
        ].joined(separator: "; "),
        HTTPHeader("X-Frame-Options"): "DENY", HTTPHeader("X-Content-Type-Options"): "nosniff",
        HTTPHeader("Referrer-Policy"): "no-referrer", HTTPHeader("Cross-Origin-Opener-Policy"): "same-origin",
        HTTPHeader("Cross-Origin-Resource-Policy"): "same-origin", .cacheControl: "no-store",
    ]

    /// An answer with these headers.
    static func safe(_ status: HTTPStatusCode, _ type: String, _ content: [UInt8]) -> HTTPResponse {
        var headers = HTTPHeaders(Self.headers)
        headers[.contentType] = type
        return HTTPResponse(statusCode: status, headers: headers, body: Data(content))
    }

    /// A refusal, which explains nothing.
    static func refusal(_ status: HTTPStatusCode) -> HTTPResponse {
        safe(status, "text/plain; charset=utf-8", Array("\(status.phrase)\n".utf8))
    }
}
