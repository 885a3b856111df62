import Bitcoin
import Settings
import TapManager
import Terminal

extension Invocation {
    /// What the options say, resolved once for all that a run does.
    struct ResolvedOptions {
        /// The output streams.
        let console: Console
        /// The requested network; `nil`: the card's.
        let network: Network?
        /// The requested card.
        let choice: CardChoice
        /// The answers given in advance.
        let acceptance: Acceptance
        /// What a manager needs.
        private(set) var equipment: Equipment
        /// Where the store is; whatever needs none works even without a folder for it.
        let folder: Swift.Result<StoreFolder, Failure>
        /// Where CVCs are read from, when one may be needed; `nil`: nowhere, the user is asked.
        let cvcs: CVCSource?

        /// - Parameter asksChain: whether chain servers may be used; otherwise `--chain` is not read.
        /// - Throws: `Failure` for invalid options, except the store's folder.
        init(_ options: GlobalOptions, for purpose: Purpose, asksChain: Bool) throws(Failure) {
            console = options.console
            network = purpose == .apart ? try options.typedNetwork() : try options.network()
            choice = options.cardChoice
            acceptance = try options.acceptance()
            equipment =
                purpose == .apart
                ? .none : try options.equipment(listsReaders: purpose == .listing, asksChain: asksChain)
            folder = Swift.Result { () throws(Failure) in try options.storeFolder() }
            cvcs = options.cvcSource
        }

        /// The same without chain servers.
        var withoutChain: ResolvedOptions {
            var resolved = self
            resolved.equipment.chain = nil
            return resolved
        }
    }
}
