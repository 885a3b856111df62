/// Where a script of a wallet comes from: descriptor, branch and index.
package struct WalletPlace: Hashable, Sendable, Comparable {
    /// The descriptor's number in the wallet, from 0.
    package let descriptor: Int
    /// The position in the multipath step, from 0; 0 without one (BIP-389).
    package let branch: Int
    /// The index that replaces the wildcard, below 2³¹; 0 without one.
    package let index: UInt32

    /// A place from its parts.
    package init(descriptor: Int, branch: Int, index: UInt32) {
        self.descriptor = descriptor
        self.branch = branch
        self.index = index
    }

    /// By descriptor, branch, index.
    package static func < (left: WalletPlace, right: WalletPlace) -> Bool {
        (left.descriptor, left.branch, left.index) < (right.descriptor, right.branch, right.index)
    }
}
