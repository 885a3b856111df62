// What breaks the rules in what is shown now, as a list of sentences.
const broken = [];
const isShown = (element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
const mark = (element) => element.outerHTML.replace(/\s+/g, " ").slice(0, 140);
const every = (selector) => [...document.querySelectorAll(selector)].filter(isShown);
const complain = (text, element) => broken.push(element ? `${text}: ${mark(element)}` : text);

// The document.
if (!document.documentElement.lang) complain("The document does not say its language");
if (!document.title.trim()) complain("The document has no title");
if (document.documentElement.scrollWidth > innerWidth) {
  complain(`The page is ${document.documentElement.scrollWidth} pixels wide, and the window ${innerWidth}`);
}
if (!document.querySelector("main")) complain("There is no main part");

// Headings in order.
const headings = every("h1, h2, h3, h4, h5, h6");
if (headings.filter(({ localName }) => localName === "h1").length !== 1) complain("There is not exactly one h1");
let level = 0;
for (const heading of headings) {
  const next = Number(heading.localName[1]);
  if (next > level + 1) complain(`A heading skips from level ${level} to ${next}`, heading);
  level = next;
}

// Ids, and what refers to them.
const ids = new Set();
for (const { id } of document.querySelectorAll("[id]")) {
  if (ids.has(id)) complain(`The id ${id} is there twice`);
  ids.add(id);
}
for (const name of ["for", "aria-labelledby", "aria-describedby", "aria-controls"]) {
  for (const element of document.querySelectorAll(`[${name}]`)) {
    for (const id of element.getAttribute(name).split(/\s+/)) if (!ids.has(id)) complain(`There is no ${id}`, element);
  }
}

// Fields have labels that stay; a placeholder does not.
for (const input of every("input:not([type=hidden]), select, textarea")) {
  const has = input.labels?.length || input.getAttribute("aria-label") || input.getAttribute("aria-labelledby");
  if (!has) complain("A field without a label", input);
}
// Pictures have another form.
for (const image of every("img")) if (!image.hasAttribute("alt")) complain("A picture without a text", image);
for (const picture of every("svg")) {
  if (picture.parentElement.closest("svg")) continue;
  const isNamed = picture.getAttribute("role") === "img"
    && (picture.getAttribute("aria-label") || picture.querySelector("title"));
  if (!isNamed && picture.getAttribute("aria-hidden") !== "true") complain("A picture without a text", picture);
}
// What changes by itself is said.
const speaks = "[aria-live], [role=status], [role=alert], [role=log], [role=progressbar]";
if (!document.querySelector(speaks)) complain("Nothing that changes is said");
for (const waiting of every("progress, .waiting")) {
  const spoken = document.getElementById("announced") || waiting.closest(speaks);
  if (!spoken) complain("Progress that is not said", waiting);
}
for (const element of document.querySelectorAll("[tabindex]")) {
  if (element.tabIndex > 0) complain("The order of Tab is not that of the page", element);
}
if (document.getAnimations().some((one) => one.effect?.getTiming().iterations === Infinity)) {
  complain("Something moves although the person wants no motion");
}

// Contrast of text. Spec: WCAG 2.2, "relative luminance", "contrast ratio"; everything as for small text.
const canvas = Object.assign(document.createElement("canvas"), { width: 1, height: 1 }).getContext("2d",
  { willReadFrequently: true });
const known = new Map();
function rgba(text) {
  if (!known.has(text)) {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = text;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
    known.set(text, [r, g, b, a / 255]);
  }
  return known.get(text);
}
const over = ([r, g, b, a], below) => [r, g, b].map((value, place) => value * a + below[place] * (1 - a));
function behind(element) {
  const layers = [];
  for (let one = element; one; one = one.parentElement) layers.unshift(rgba(getComputedStyle(one).backgroundColor));
  const canvasColor = matchMedia("(prefers-color-scheme: dark)").matches ? [18, 18, 18] : [255, 255, 255];
  return layers.reduce((below, layer) => over(layer, below), canvasColor);
}
function opacity(element) {
  let value = 1;
  for (let one = element; one; one = one.parentElement) value *= Number(getComputedStyle(one).opacity);
  return value;
}
const luminance = (color) => color.map((value) => value / 255)
  .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4))
  .reduce((sum, value, place) => sum + value * [0.2126, 0.7152, 0.0722][place], 0);
function contrast(one, other) {
  const [high, low] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (high + 0.05) / (low + 0.05);
}
const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (texts.nextNode()) {
  const element = texts.currentNode.parentElement;
  if (!texts.currentNode.data.trim() || !isShown(element)) continue;
  if (element.closest(":disabled, script, noscript, option")) continue;
  const { width, height } = element.getBoundingClientRect();
  if (width <= 1 || height <= 1 || element.closest(".visually-hidden")) continue;
  const style = getComputedStyle(element);
  const back = behind(element.closest("svg")?.parentElement ?? element);
  const color = rgba(element.closest("svg") ? style.fill : style.color);
  const found = contrast(over([...color.slice(0, 3), color[3] * opacity(element)], back), back);
  if (found < 4.5) complain(`A text with a contrast of ${found.toFixed(2)} : 1`, element);
}
return broken;
