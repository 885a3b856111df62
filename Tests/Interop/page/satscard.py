"""A SATSCARD's story: its slots, an address after its proofs, a payment, and the sweep that opens the slot."""

from bench import Node, Reader
from browser import Browser, request

given = request()
node = Node(**given["node"])
with Reader(given["tapkit"], given["reader"]) as reader, Browser() as page:
    page.open(given["url"])
    reader.lay(given["card"])
    page.see(f'#readers [data-state=ready][data-card="{given["ident"]}"]', "SIMULATED SATSCARD")
    page.look("card-satscard")
    page.click('a[data-next="satscard"]')

    # Ten slots, of which the first is sealed; its address is shown after the card's proofs.
    page.see('.slot[data-slot="1"][data-state=sealed][data-active]')
    assert len(page.all(".slot")) == 10, len(page.all(".slot"))
    page.see("#deposit svg[role=img]")
    page.see(".notice.ok", "proven by the card")
    address = page.attribute("#deposit", "data-address")
    page.click('.slot[data-slot="2"]')
    page.see('[data-shown-slot="2"]')
    page.click('.slot[data-slot="1"]')
    page.look("satscard")

    # Somebody pays to it.
    node.pay(address, 0.01)
    node.mine()
    page.click("#balances")
    page.see("#total", "0.01000000 regtest BTC")
    page.see('[data-shown-slot="1"]', "in 1 coin")

    # Everything is swept; the person is asked once more, as this cannot be undone.
    target = node.call("getnewaddress")
    page.type("#sweep-to", target)
    page.choose("#sweep-slots", "all")
    page.rate("2", within="#sweep-form")
    page.look("satscard-sweep")
    page.click("#sweep-start")
    page.see("dialog [data-kind=payee]", "BTC")
    page.see("dialog", "Unsealing is final.")
    page.look("satscard-question")
    page.click('dialog [data-action="no"]')
    page.see("[data-error]", "Cancelled")
    page.see('.slot[data-slot="1"][data-state=sealed]')
    page.click("#sweep-start")
    page.click('dialog [data-action="yes"]')
    page.see('#sweep-result[data-sent="true"]')
    swept = page.attribute("#sweep-result", "data-txid")
    page.see('.slot[data-slot="1"][data-state=unsealed]')
    page.look("satscard-swept")
    assert node.waits(swept), swept
    page.go(f"sign/{swept}")
    page.see('[data-facts="stored"] [data-state="sent"]')
    node.mine()
    page.click('[data-action="check"]')
    page.see('[data-facts="stored"] [data-state="confirmed"]')
    received = node.call("getreceivedbyaddress", target)
    assert 0.0099 < received < 0.01, received
    page.go("doctor")
    page.see('#doctor-findings[data-usable="true"]')
    page.look("doctor")
    page.close()
