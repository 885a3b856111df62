"""The rules that every view of the page keeps, so that everybody can use it: each function answers what breaks them."""

import importlib.util
import os

AXE = open(os.path.join(
    importlib.util.find_spec("axe_playwright_python").submodule_search_locations[0], "axe.min.js")).read()
SHOWN = open(os.path.join(os.path.dirname(__file__), "rules.js")).read()

# Roles whose element says nothing without a name.
NAMED = {
    "button", "link", "textbox", "searchbox", "combobox", "listbox", "checkbox", "radio", "image", "dialog", "alertdialog",
    "progressbar", "heading", "navigation", "DisclosureTriangle", "spinbutton", "group", "radiogroup", "option",
}


def shown(browser):
    """What the document and its styles tell: language, title, headings, ids, references, contrast, width."""
    return browser.script(SHOWN)


def named(browser):
    """What the browser tells programs that read pages aloud: everything that can be used has a name."""
    browser.command("Accessibility.enable")
    nodes = browser.command("Accessibility.getFullAXTree")["nodes"]
    browser.command("Accessibility.disable")
    broken = []
    for node in nodes:
        role = node.get("role", {}).get("value")
        if node.get("ignored") or role not in NAMED or node.get("name", {}).get("value", "").strip():
            continue
        element = browser.command("DOM.describeNode", backendNodeId=node["backendDOMNodeId"])["node"]
        # A group needs a name only where it says that it is one.
        if role == "group" and element["localName"] not in ("fieldset",):
            continue
        broken.append(f"{role} without a name: <{element['localName']} {' '.join(element.get('attributes', []))}>")
    return broken


def judged(browser):
    """What axe-core has against it, with all its rules; what passes is not listed in full."""
    if not browser.script("return !!window.axe"):
        browser.script(AXE)
    found = browser.driver.execute_async_script(
        "const done = arguments[0];"
        "axe.run({ resultTypes: ['violations'] }).then(({ violations }) => done(violations))")
    return [f"axe, {rule['id']}: {node['html'][:120]}" for rule in found for node in rule["nodes"]]


REACH = """
const isShown = (element) => element.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: true });
const open = document.querySelector("dialog[open]") ?? document;
const all = [...open.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex='0']")]
  .filter((element) => isShown(element) && !element.disabled && element.tabIndex >= 0
    && !(element.type === "radio" && !element.checked));
window.__reach = new Map(all.map((element) => [element, false]));
return all.length;
"""

REACHED = """
const element = document.activeElement;
// Where Tab does not lead, the page itself has moved the focus meanwhile: to what is new in it.
if (!element || element === document.body || element.tabIndex < 0) return ["", false];
window.__reach.set(element, true);
const style = getComputedStyle(element);
const outline = style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 1
  && style.outlineColor !== "transparent";
const problem = element.matches(":focus-visible") && outline ? ""
  : `The focus is not seen: ${element.outerHTML.slice(0, 120)}`;
return [problem, [...window.__reach.values()].every((was) => was)];
"""


def reached(browser):
    """Tab leads to everything that can be used, and one sees where one is."""
    broken = []
    # From anywhere, round once and through what belongs to the browser.
    for _ in range(2 * browser.script(REACH) + 20):
        browser.command("Input.dispatchKeyEvent", type="rawKeyDown", key="Tab", code="Tab", windowsVirtualKeyCode=9)
        problem, is_done = browser.script(REACHED)
        if problem:
            broken.append(problem)
        if is_done:
            break
    broken += browser.script(
        "return [...window.__reach].filter(([element, was]) => !was && element.isConnected)"
        ".map(([element]) => `Tab does not lead to ${element.outerHTML.slice(0, 120)}`)")
    browser.script("delete window.__reach; document.activeElement?.blur()")
    return broken
