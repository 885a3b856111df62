// Elements without markup as text: what comes from outside can only become text.

import { neutral } from "./format.js";

const isProps = (value) =>
  value !== null && typeof value === "object" && !(value instanceof Node) && !Array.isArray(value);
const asProperty = new Set(["value", "checked", "disabled", "hidden", "indeterminate", "open", "selected"]);

function fill(element, props, children) {
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined || value === null || value === false) continue;
    if (typeof value === "function") element.addEventListener(name.slice(2).toLowerCase(), value);
    else if (asProperty.has(name) && name in element) element[name] = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  add(element, children);
  return element;
}

function add(element, children) {
  for (const child of children.flat(Infinity)) {
    if (child === undefined || child === null || child === false) continue;
    element.append(child instanceof Node ? child : neutral(child));
  }
}

// h("button.primary", {type: "button", onclick: go}, "Go"): classes; a function whose name starts with "on" listens.
export function h(tag, props, ...children) {
  const [name, ...classes] = tag.split(".");
  const element = document.createElement(name);
  if (classes[0]) element.className = classes.join(" ");
  return isProps(props) ? fill(element, props, children) : fill(element, {}, [props, ...children]);
}

export function svg(tag, props, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  return isProps(props) ? fill(element, props, children) : fill(element, {}, [props, ...children]);
}

export function replace(parent, ...children) {
  parent.replaceChildren();
  add(parent, children);
  return parent;
}

// An element with a picture that is drawn anew for each width.
export function drawn(props, draw) {
  const element = h("div", props);
  let width = 0;
  new ResizeObserver(([entry]) => {
    const now = Math.floor(entry.contentRect.width);
    if (now === width || now < 40) return;
    width = now;
    replace(element, draw(width));
  }).observe(element);
  return element;
}

// Says something to screen readers, or nothing any more.
export function announce(text) {
  const place = document.getElementById("announced");
  if (place && place.textContent !== text) replace(place, text);
}

// A screen reader continues here.
export function focusOn(element) {
  if (element.tabIndex < 0) element.tabIndex = -1;
  element.focus();
}

// What had the focus may be gone.
export const isLost = () => document.activeElement === document.body;

const strokes = {
  ok: "M5 12.5l4.5 4.5L19 7.5",
  warning: "M12 4L2.8 20h18.4zM12 10v4.5M12 17.2v.3",
  danger: "M8.3 3h7.4L21 8.3v7.4L15.7 21H8.3L3 15.7V8.3zM9 9l6 6M15 9l-6 6",
  info: "M12 3a9 9 0 100 18 9 9 0 000-18zM12 11v5.5M12 7.5v.3",
  card: "M3 6h18v12H3zM3 10h18M6.5 14.5h4",
  copy: "M9 9h11v11H9zM5 15H4V4h11v1",
};

// A sign that goes with a text, which says the same.
export const icon = (name) =>
  svg("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true", focusable: "false" },
    svg("path", { d: strokes[name] ?? strokes.info }));
