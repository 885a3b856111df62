import ByteCodec

extension Network {
    /// The hash of the network's first block: what tells networks apart.
    ///
    /// Custom signets have the same first block as the public one, so this does not tell them apart.
    /// Spec: Bitcoin Core, `kernel/chainparams.cpp`; BIP-94; BIP-325, "Genesis Block and Message Header".
    public var genesisHash: BlockHash {
        let digits: StaticString =
            switch self {
            case .main: "000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f"
            case .test: "000000000933ea01ad0ee984209779baaec3ced90fa3f408719526f8d77f4943"
            case .testnet4: "00000000da84f2bafbbc53dee25a72ae507ff4914b867c565be350b0da8bf043"
            case .signet: "00000008819873e925422c1ff0f99f7cc9bbb232af63a077a480a3633bee1ef6"
            case .regtest: "0f9188f13cb7b2c71f2a335e3a4fc328bf5beb436012afca590b1a11466e2206"
            }
        return BlockHash(parsing: digits.description) ?? BlockHash(unchecked: [])
    }

    /// The network with this first block; `nil` for one that is not known here.
    public init?(genesisHash: BlockHash) {
        guard let network = Self.allCases.first(where: { $0.genesisHash == genesisHash }) else { return nil }
        self = network
    }
}
