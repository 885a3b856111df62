import { h, replace } from "./dom.js";

export default {
  title: "card",
  async render(main) { replace(main, h("h1", "card")); },
};
