import { h, replace } from "./dom.js";

export default {
  title: "setup",
  async render(main) { replace(main, h("h1", "setup")); },
};
