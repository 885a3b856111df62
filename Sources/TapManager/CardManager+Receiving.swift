import Bitcoin
import ChainData

/// Receive addresses.
extension CardManager {
    /// The next address of a wallet that nobody has paid, or the one with an index.
    /// - Parameter index: below 2³¹; `nil`: the next unused one, according to the wallet's chain server or, without
    ///   one, to the last known answer.
    /// - Throws: `ErrorCode.badDescriptor` if the wallet has no such address, `ErrorCode.badProof` if a remembered card has
    ///   proven another key than the wallet has of it; what `synchronize(_:gapLimit:)` throws.
    public nonisolated func receivingAddress(
        of opened: OpenedWallet, number index: UInt32? = nil
    ) async throws -> ReceivingAddress {
        guard let branch = opened.wallet.receivingBranch else { throw WalletError.noAddress(.noSuchScript) }
        // Cards may have proven keys after the wallet was added.
        try requireKeysOfKnownCards(in: opened.wallet)
        let told = index == nil ? try await freshChain(of: opened) : nil
        let isAsked = told != nil
        let chain = try told ?? lastChain(of: opened)
        let next = chain?.nextIndex(descriptor: branch.descriptor, branch: branch.number) ?? 0
        let place = branch.place(branch.isRanged ? index ?? next : 0)
        let address = try opened.wallet.address(at: place)
        var remarks: [ReceivingAddress.Remark] = []
        if let index, branch.isRanged, index < next { remarks.append(.mayBeUsed) }
        if index != nil || chain != nil { remarks += ReceivingAddress.Remark.distance(of: place.index, chain, branch) }
        if index == nil, let chain { remarks += ReceivingAddress.Remark.claim(of: place.index, chain, branch) }
        switch chain {
        case _ where index != nil: break
        case let chain? where isAsked: if !chain.hasHistory { remarks.append(.mayBeEmptied) }
        case let chain?:
            remarks.append(.toldBefore(server: chain.server, height: chain.height, time: chain.time))
        case nil: remarks.append(.neverAsked)
        }
        return ReceivingAddress(
            place: place, address: address, path: opened.wallet.origins(of: place).first?.path, remarks: remarks)
    }
}
