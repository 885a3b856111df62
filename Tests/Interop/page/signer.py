"""A TAPSIGNER is set up, backed up, paid, and paid from; a window asks for CVCs, the card is pulled and laid back."""

from bench import Node, Reader
from browser import Browser, request

given = request()
node = Node(**given["node"])
with Reader(given["tapkit"], given["reader"]) as reader, Browser() as page:
    page.open(given["url"])

    # The page knows the card as soon as it is there.
    page.see("#readers [data-state=empty]")
    assert page.driver.current_url.endswith("/#/card"), "the token stays in the address bar"
    page.look("card-none")
    reader.lay(given["card"], "--sign-ms", "200")
    page.see(f'#readers [data-state=ready][data-card="{given["ident"]}"]', "SIMULATED TAPSIGNER")
    page.look("card-new")

    # Set up, with a new CVC; the backup is saved and checked.
    page.click('a[data-next="setup"]')
    page.see("#setup-start")
    page.look("setup")
    page.click("#setup-start")
    page.see("#save-backup")
    page.look("setup-done")
    page.click("#save-backup")
    backup = page.downloaded(".aes")
    page.give("#backup-file", backup)
    page.click("#verify-backup")
    page.see("#backup-checked", given["ident"])
    page.look("setup-checked")

    # A wallet, and its address after the card's proof.
    page.go("wallets")
    page.look("wallets-none")
    page.type('[data-field="wallet-name"]', "savings")
    page.click('[data-action="add-wallet"]')
    page.see("h1", "savings")
    page.click('[data-action="receive"]')
    page.see('[data-verified="unknown"]')
    page.click('[data-action="prove-address"]')
    page.see('[data-verified="true"]', given["ident"])
    address = page.attribute("[data-address]", "data-address")
    assert page.text("[data-address] code").replace("\n", "") == address
    page.look("wallet-receive")

    # Somebody pays it.
    node.pay(address, 0.01)
    node.mine()
    page.click('[data-action="sync"]')
    page.see('[data-balance="1000000"]', "0.01000000 regtest BTC")
    page.see('[data-list="history"] [data-confirmed="true"]')

    # It pays somebody. The card is pulled in the middle, and laid back.
    payee = node.call("getnewaddress")
    page.click('[data-action="pay"]')
    page.type('[data-field="address"]', payee)
    page.type('[data-field="amount"]', "0.003")
    page.rate("3.5")
    page.look("pay")
    page.click('[data-action="build"]')
    page.see("[data-kind=payee]", "0.00300000 regtest BTC")
    page.see("[data-kind=change]")
    page.look("sign-review")
    page.click('[data-action="sign"]')
    page.see("dialog [data-kind=payee]", "0.00300000 regtest BTC")
    page.look("sign-question")
    reader.pull()
    page.click('dialog [data-action="yes"]')
    page.see(".task", f"Put {given['ident']} back")
    page.look("sign-pulled")
    reader.lay_back()
    page.see('[data-state="complete"]')
    page.look("sign-complete")
    txid = page.send()
    assert node.waits(txid), txid
    page.look("sign-sent")
    node.mine()
    page.click('[data-action="check"]')
    page.see('[data-state="confirmed"]', "confirmed")

    # History, coins, labels and the plot.
    page.go("wallets")
    page.look("wallets")
    page.click('[data-wallet="savings"] [data-action="open"]')
    page.see(f'[data-txid="{txid}"][data-confirmed="true"]')
    page.see(".plot svg[role=img]")
    page.click(f'[data-txid="{txid}"] [data-action="edit-label"]')
    page.type('[data-field="label"]', "Rent")
    page.click('[data-action="save-label"]')
    page.see(f'[data-txid="{txid}"] .label-text', "Rent")
    page.look("wallet")
    page.close()
