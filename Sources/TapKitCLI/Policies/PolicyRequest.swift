import Bitcoin
import TapManager
import TextLayout

/// A policy that is being put together, from options or from answers.
struct PolicyRequest {
    /// The template.
    let template: PolicyTemplate
    /// Who can spend at any time.
    var holders: [PolicyHolder] = []
    /// How many of them must sign.
    var threshold: Int?
    /// Who can spend only later.
    var laterHolders: [PolicyHolder] = []
    /// How many must sign later.
    var laterThreshold: Int?
    /// How old a coin must be for that.
    var blocks: Int?

    /// Among how many keys the later threshold chooses.
    var laterCount: Int { template.hasLaterKeys ? laterHolders.count : holders.count }

    /// Thresholds that leave no choice.
    mutating func complete() {
        if threshold == nil, holders.count == 1, template.fewestKeys == 1 { threshold = 1 }
        guard laterThreshold == nil else { return }
        if template.leavesNoChoiceLater(threshold: threshold, laterCount: laterHolders.count) { laterThreshold = 1 }
    }

    /// The policy.
    /// - Throws: `Failure`: `.usage`, `.badDescriptor`.
    func policy() throws(Failure) -> TemplatePolicy {
        do throws(PolicyTemplateError) {
            return try TemplatePolicy(
                template, keys: holders.map(\.key), threshold: threshold ?? 0, laterKeys: laterHolders.map(\.key),
                laterThreshold: laterThreshold, blocks: blocks ?? 0)
        } catch {
            let failure = Failure(error)
            guard holders.count > 1 || !laterHolders.isEmpty, error.namesKeys else { throw failure }
            throw failure.hinting("Keys are counted from 1: those of --key, then those of --later-key or --heir.")
        }
    }
}

extension PolicyTemplate {
    /// Whether one signature is all that the later path can ask for.
    fileprivate func leavesNoChoiceLater(threshold: Int?, laterCount: Int) -> Bool {
        hasLaterThreshold && (hasLaterKeys ? laterCount == 1 : threshold == 2)
    }
}

extension PolicyTemplateError {
    /// Whether its message counts keys.
    fileprivate var namesKeys: Bool {
        switch self {
        case .sameKey, .sameHolder, .otherNetwork: true
        default: false
        }
    }
}

extension PolicyOptions {
    /// The options that are missing before the policy can be made, for somebody who cannot be asked; empty: none.
    func missing(_ template: PolicyTemplate, threshold: Int?) -> [String] {
        var missing: [String] = []
        let fewest = template.fewestKeys
        if keys.count < fewest { missing.append(fewest == 2 ? "--key (at least two)" : "--key") }
        if threshold == nil, keys.count != 1 || fewest > 1 {
            missing.append(keys.isEmpty && fewest == 1 ? "--threshold (for more than one key)" : "--threshold")
        }
        if template.hasLaterKeys, laterKeys.isEmpty {
            missing.append(template == .inheritance ? "--heir" : "--later-key")
        }
        if template.hasLaterThreshold, laterThreshold == nil,
            !template.leavesNoChoiceLater(threshold: threshold, laterCount: laterKeys.count)
        {
            let hasNone = template.hasLaterKeys && laterKeys.isEmpty
            missing.append(hasNone ? "--later-threshold (for more than one later key)" : "--later-threshold")
        }
        if after == nil { missing.append("--after") }
        return missing
    }

    /// Options that the template has no use for; `nil`: none.
    func needless(_ template: PolicyTemplate) -> String? {
        if !template.hasLaterKeys, !laterKeys.isEmpty { return "--later-key" }
        return !template.hasLaterThreshold && laterThreshold != nil ? "--later-threshold" : nil
    }
}
