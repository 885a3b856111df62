import { h, replace } from "./dom.js";

export default {
  title: "satscard",
  async render(main) { replace(main, h("h1", "satscard")); },
};
