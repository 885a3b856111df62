import GRDB

/// The first tables.
///
/// Times are seconds since 1970, amounts satoshis. `place` counts up in the order in which rows were added.
enum Migration001: StoreMigration {
    static func run(_ database: Database) throws {
        for statement in [cards, transactions, flows, backups, wallets, labels] { try database.execute(sql: statement) }
    }

    private static let cards = """
        CREATE TABLE card (
            ident TEXT NOT NULL PRIMARY KEY,
            public_key BLOB NOT NULL CHECK (length(public_key) = 33),
            product TEXT NOT NULL,
            is_testnet INTEGER NOT NULL CHECK (is_testnet IN (0, 1)),
            fingerprint BLOB CHECK (length(fingerprint) = 4),
            last_seen INTEGER NOT NULL
        ) STRICT;
        """

    /// A list reads only `psbt`, which is kept up to date with every signature.
    ///
    /// - `psbt.id`: the unsigned transaction's id, in the byte order that people see, so that its beginning is a range.
    /// - `psbt.signed_by`: master fingerprints in hexadecimal, ascending, separated by spaces.
    /// - `psbt_content.bytes`: the PSBT as it was last written.
    /// - `signature`: signatures that were added one by one. Those that a PSBT which is written later has as they are
    ///   stay.
    /// - `open_input`: inputs that lack signatures, how many, and which keys have signed them (hexadecimal, separated
    ///   by spaces).
    private static let transactions = """
        CREATE TABLE psbt (
            place INTEGER PRIMARY KEY,
            id BLOB NOT NULL UNIQUE CHECK (length(id) = 32),
            network TEXT,
            wallet TEXT,
            note TEXT NOT NULL,
            amount INTEGER,
            fee INTEGER,
            signed_by TEXT NOT NULL,
            missing INTEGER NOT NULL CHECK (missing >= 0),
            is_understood INTEGER NOT NULL CHECK (is_understood IN (0, 1)),
            input_count INTEGER NOT NULL,
            created INTEGER NOT NULL,
            updated INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX psbt_newest ON psbt (created DESC, place DESC);
        CREATE TABLE psbt_content (
            place INTEGER PRIMARY KEY REFERENCES psbt (place) ON DELETE CASCADE,
            bytes BLOB NOT NULL
        ) STRICT;
        CREATE TABLE signature (
            place INTEGER NOT NULL REFERENCES psbt (place) ON DELETE CASCADE,
            input INTEGER NOT NULL CHECK (input >= 0),
            public_key BLOB NOT NULL,
            signature BLOB NOT NULL,
            signer BLOB NOT NULL CHECK (length(signer) = 4),
            PRIMARY KEY (place, input, public_key)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE open_input (
            place INTEGER NOT NULL REFERENCES psbt (place) ON DELETE CASCADE,
            input INTEGER NOT NULL CHECK (input >= 0),
            missing INTEGER NOT NULL CHECK (missing > 0),
            signers TEXT NOT NULL,
            PRIMARY KEY (place, input)
        ) STRICT, WITHOUT ROWID;
        """

    /// `flow.state` is JSON; its fields depend on `kind`.
    private static let flows = """
        CREATE TABLE flow (
            place INTEGER PRIMARY KEY,
            card TEXT NOT NULL,
            kind TEXT NOT NULL,
            state TEXT NOT NULL,
            created INTEGER NOT NULL,
            updated INTEGER NOT NULL,
            UNIQUE (card, kind)
        ) STRICT;
        """

    private static let backups = """
        CREATE TABLE backup (
            place INTEGER PRIMARY KEY,
            card TEXT NOT NULL,
            ciphertext BLOB NOT NULL,
            count INTEGER NOT NULL,
            created INTEGER NOT NULL,
            UNIQUE (card, ciphertext)
        ) STRICT;
        """

    private static let wallets = """
        CREATE TABLE wallet (
            name TEXT NOT NULL PRIMARY KEY,
            network TEXT NOT NULL,
            created INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE wallet_descriptor (
            wallet TEXT NOT NULL REFERENCES wallet (name) ON DELETE CASCADE,
            position INTEGER NOT NULL,
            descriptor TEXT NOT NULL,
            PRIMARY KEY (wallet, position)
        ) STRICT, WITHOUT ROWID;
        """

    private static let labels = """
        CREATE TABLE label (
            type TEXT NOT NULL,
            reference TEXT NOT NULL,
            origin TEXT NOT NULL,
            label TEXT NOT NULL,
            is_spendable INTEGER CHECK (is_spendable IN (0, 1)),
            PRIMARY KEY (type, reference, origin)
        ) STRICT, WITHOUT ROWID;
        """
}
