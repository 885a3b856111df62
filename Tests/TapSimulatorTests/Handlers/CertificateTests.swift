import Bitcoin
import ByteCodec
import TestSupport
import Testing

@testable import TapSimulator

@Suite struct CertificateTests {
    private func chain(_ app: AppSide) throws -> [[UInt8]] {
        guard case .array(let items)? = try app.send("certs")["cert_chain"] else { return [] }
        return items.compactMap(\.content)
    }

    @Test func theVerifierKnowsThePublishedChains() throws {
        for row in try VectorCard.rows("certs") {
            let chain = try #require(row["cert_chain", as: [String].self]).map { try Hex.decode($0) }
            let root = ChainVerifier.root(of: chain, from: try row.publicKey("card_pubkey"))
            #expect(root == (try row.publicKey("root_pubkey")), "\(row)")
            var forged = chain
            forged[0][40] ^= 1
            #expect(ChainVerifier.root(of: forged, from: try row.publicKey("card_pubkey")) != root)
        }
    }

    @Test func certificatesAreMadeAsPublished() throws {
        for row in try VectorCard.rows("certs") {
            let batch = try PrivateKey(SecretBytes(try row.bytes("batch_private_key")))
            let root = try PrivateKey(SecretBytes(try row.bytes("test_root_private_key")))
            let header = try #require(CertificateHeader(rawValue: UInt8(try row.number("header_base"))))
            let chain = [
                try SimulatedFactory.certificate(for: try row.publicKey("card_pubkey"), by: batch, header: header),
                try SimulatedFactory.certificate(for: batch.publicKey, by: root, header: header),
            ]
            #expect(chain.map(Hex.encode) == row["cert_chain"], "\(row)")
        }
    }

    @Test(arguments: SimulatedFactory.allCases, CertificateHeader.allCases)
    func theChainLeadsToTheSaidRoot(factory: SimulatedFactory, header: CertificateHeader) throws {
        var options = SimulatedCardOptions(product: .tapsigner)
        options.factory = factory
        options.certificateHeader = header
        let app = try AppSide(options)
        let chain = try chain(app)
        #expect(chain.count == 2)
        #expect(chain.allSatisfy { (header.rawValue...header.rawValue + 3).contains($0[0]) })
        let root = ChainVerifier.root(of: chain, from: try #require(app.cardKey))
        #expect(root == (try factory.rootKey))
        #expect(root == (try app.card.record.rootKey))
    }

    @Test func noSimulatedRootIsTheMakers() throws {
        let constants = try VectorCard.rows("constants")[0]
        let maker = try ["factory_root_public_key", "obsolete_development_root_public_key"].map(constants.publicKey)
        let ours = try SimulatedFactory.allCases.map { (factory) throws in try factory.rootKey }
        #expect(Set(ours).count == ours.count)
        #expect(Set(ours).isDisjoint(with: maker))
        // Scripts name it, so it must not move.
        #expect(ours[0].description == "034d67661b37e8d8111cfffb84b6f4676e3ed4f61ae627e9066fa4d6e0426ff30f")
    }

    @Test(arguments: SimulatedProduct.allCases, [AppletVersion.v100, .v103])
    func checkProvesTheCardKey(product: SimulatedProduct, version: AppletVersion) throws {
        var options = SimulatedCardOptions(product: product)
        options.version = version
        let app = try AppSide(options)
        let slotKey = product == .satscard ? try app.sendWithNonce("read").content("pubkey") : []
        let answer = try app.sendWithNonce("check")
        let signature = try #require(ECDSASignature(compact: try answer.content("auth_sig")))
        #expect(try #require(app.cardKey).isValid(signature, for: app.digest(rest: slotKey)))
        #expect(signature.hasLowS)
    }

    @Test func checkOf090LeavesTheSlotOut() throws {
        var options = SimulatedCardOptions(product: .satscard)
        options.version = .v090
        let app = try AppSide(options)
        let signature = try #require(ECDSASignature(compact: try app.sendWithNonce("check").content("auth_sig")))
        #expect(try #require(app.cardKey).isValid(signature, for: app.digest(rest: [])))
    }
}
