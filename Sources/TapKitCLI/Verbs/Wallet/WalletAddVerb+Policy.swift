import Bitcoin
import TapManager
import Terminal
import TextLayout

/// A wallet made from a policy.
extension WalletAddVerb {
    /// Asks for what is missing, if somebody can be asked, shows the policy, and adds the wallet.
    /// - Throws: `Failure.usage` with everything that is missing, if nobody can be asked; the errors of keys and numbers before
    ///   anything is stored.
    func addPolicy(_ template: PolicyTemplate) async throws -> (CardManager.AddedWallet, Invocation) {
        if let needless = policy.needless(template) {
            throw Failure(.usage, "\(needless) does not work with the policy \(template.rawValue).")
        }
        let most = MultisigScript.maximumKeyCount
        for number in [threshold, policy.laterThreshold].compactMap(\.self) where !(1...most).contains(number) {
            throw Failure(.usage, "A policy takes 1 to \(most) signatures, not \(number).")
        }
        var request = PolicyRequest(template: template)
        (request.threshold, request.laterThreshold) = (threshold, policy.laterThreshold)
        if let after = policy.after { request.blocks = try PolicyAge.blocks(after) }
        let missing = policy.missing(template, threshold: threshold)
        guard missing.isEmpty || TerminalLine.isOurs && !options.isConfirmed else {
            throw Failure(
                .usage, "The policy \(template.rawValue) also needs \(missing.joined(separator: ", ")).",
                hint: "tapkit help policies explains them.")
        }
        let valid = try WalletName(parsing: name)
        let acceptance = try Acceptance(isConfirmed: options.isConfirmed, accepting: options.acceptedTexts)
        let invocation = try Invocation(options, to: .storing)
        try invocation.manager.requireFree(valid)
        let network = invocation.network
        let holders = PolicyHolders(try invocation.manager.provenKeys(for: network), network: network)
        for key in policy.keys { request.holders.append(try holders.holder(key)) }
        for key in policy.laterKeys { request.laterHolders.append(try holders.holder(key)) }
        if missing.isEmpty {
            request.complete()
        } else {
            request = try PolicyDialogue(holders, on: invocation.console).completed(request)
        }
        let made = try request.policy()
        guard let text = DescriptorText(made.descriptor) else { throw Failure(PolicyKeyFault.privateKey) }
        let draft = try WalletDraft(name: valid, network: network, descriptors: [text.description])
        try invocation.manager.requireKeysOfKnownCards(in: draft.wallet)
        let paths = try invocation.manager.spendingPaths(of: draft.wallet)
        try QuestionText(request, made, draft.wallet, paths: paths).ask(on: invocation.console, accepting: acceptance)
        let added = try await invocation.manager.addWallet(
            named: name, of: .descriptors([text]), network: network)
        return (added, invocation)
    }
}
