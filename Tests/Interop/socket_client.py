"""The maker's reference client at a card's Unix socket: what it finds out, as JSON."""
import hashlib
import json
import sys

from cktap import utils
from cktap.compat import CT_sig_to_pubkey, CT_sig_verify
from cktap.proto import CKTapCard
from cktap.transport import CKTapUnixTransport


def root_of(card, slot_key):
    """Where the certificates lead, after the client's own checks; its root list does not know ours."""
    status = card.get_status()
    certificates = card.send('certs')
    nonce = utils.pick_nonce()
    card_nonce = card.card_nonce
    check = card.send('check', nonce=nonce)
    message = b'OPENDIME' + card_nonce + nonce
    if slot_key and card.applet_version != '0.9.0':
        message += slot_key
    assert CT_sig_verify(status['pubkey'], hashlib.sha256(message).digest(), check['auth_sig'])
    key = status['pubkey']
    for signature in certificates['cert_chain']:
        key = CT_sig_to_pubkey(hashlib.sha256(key).digest(), signature)
    return key.hex()


def satscard(card, cvc, connect):
    addresses = []
    root = None
    while True:
        key, address = card.get_address(incl_pubkey=True)
        root = root_of(card, key)
        addresses.append(address)
        secret, slot = card.unseal_slot(cvc)
        assert utils.render_address(secret, card.is_testnet) == address
        card.close()
        # As another program, later: the next connection.
        card = connect()
        assert card.get_privkey(cvc, slot) == secret
        if slot + 1 == card.num_slots:
            break
        card.send_auth('new', cvc, slot=slot + 1)
        card.first_look()
    usage = [card.get_slot_usage(slot, cvc)[1] for slot in range(card.num_slots)]
    return {'ident': card.card_ident, 'addresses': addresses, 'usage': usage, 'root': root}


def signer(card, cvc, connect):
    card.send_auth('new', cvc, slot=0, chain_code=bytes(range(32)))
    card.set_derivation('m/49h/1h/7h', cvc)
    digest = hashlib.sha256(b'tapkit').digest()
    signature = card.sign_digest(cvc, digest, subpath='1/6')
    key = card.get_pubkey(cvc, subpath='1/6')
    signed = CT_sig_verify(key, digest, signature[1:])
    card.close()
    card = connect()
    return {
        'ident': card.card_ident, 'path': card.get_derivation(), 'signed': bool(signed), 'root': root_of(card, None),
    }


def main():
    request = json.load(sys.stdin)

    def connect():
        return CKTapCard(CKTapUnixTransport(request['socket']))

    story = {'satscard': satscard, 'signer': signer}[request['story']]
    json.dump(story(connect(), request['cvc'], connect), sys.stdout)


main()
