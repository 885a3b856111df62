import Bitcoin
import Foundation
import Testing

extension VectorRow {
    /// The path at a key that holds a list of 32-bit steps.
    public func path(_ key: String = "indexes", at location: SourceLocation = #_sourceLocation) throws -> DerivationPath
    {
        let steps = try #require(fields[key] as? [NSNumber], "no path \(key)", sourceLocation: location)
        return DerivationPath(steps.map { ChildNumber(rawValue: $0.uint32Value) })
    }
}
