/// A file of the page, as it is in the command.
struct PageFile: Sendable {
    let name: String
    let content: [UInt8]

    var contentType: String {
        switch name.split(separator: ".").last {
        case "html": "text/html; charset=utf-8"
        case "css": "text/css; charset=utf-8"
        case "js": "text/javascript; charset=utf-8"
        case "svg": "image/svg+xml"
        default: "application/octet-stream"
        }
    }

    /// Every file.
    static let all: [String: PageFile] = Dictionary(
        [
            PageFile(name: "index.html", content: PackageResources.index_html),
            PageFile(name: "style.css", content: PackageResources.style_css),
            PageFile(name: "app.js", content: PackageResources.app_js),
        ].map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })

    static let names = Set(all.keys)
}
