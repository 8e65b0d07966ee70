// What all parts of the page share: the data, how elements are made, how verdicts look.

const data = JSON.parse(document.getElementById("matrix-data").textContent);
const text = (index) => data.strings[index];
const glyphs = { broken: "✗", unknown: "?", held: "✓", not_applicable: "–" };
const words = {
  broken: "broken", unknown: "cannot tell", held: "held", not_applicable: "not applicable",
};
const shownOrder = ["broken", "unknown", "held", "not_applicable"];
const failed = (verdict) => verdict === "broken" || verdict === "unknown";
const worst = (verdicts) => shownOrder.find((verdict) => verdicts.includes(verdict));
const byId = (id) => document.getElementById(id);
const promise = (name) => name.replaceAll("_", " ");

/** An element. Properties that begin with "on" listen, `data` and `aria` set attributes; text of
 *  subjects only ever enters as text nodes. */
function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "aria" || name === "data") {
      for (const [key, said] of Object.entries(value)) element.setAttribute(`${name}-${key}`, said);
    } else if (name in element) element[name] = value;
    else element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

/** A subject's name without its version, which one of a chosen version bears behind an `@`. */
const bare = (subject) => {
  const version = data.standings.find((one) => one.subject === subject)?.version ?? "";
  return version && subject.endsWith(`@${version}`) ? subject.slice(0, -version.length - 1) : subject;
};

const glyph = (verdict) =>
  make("span", { className: `glyph ${verdict}`, aria: { hidden: "true" } }, glyphs[verdict]);

const plays = data.plays.map((play, index) => ({
  ...play,
  index,
  // `said` is what a check itself concluded, where the play as a whole proves nothing.
  checks: play.checks.map(([check, verdict, sentence, positions, said]) => ({
    ...data.checks[check], verdict: data.verdicts[verdict], sentence: text(sentence), positions,
    said: data.verdicts[said],
  })),
}));

/** Column labels without the words that all of them share. */
const labels = (() => {
  const parts = data.columns.map((column) => column.label.split(" "));
  const shared = (word) => parts.length > 1 && parts.every((words) => words.includes(word));
  return parts.map((words, index) =>
    words.filter((word) => !shared(word)).join(" ") || data.columns[index].label);
})();

const theme = byId("theme");
const dark = window.matchMedia("(prefers-color-scheme: dark)");
let chosen = null;
try { chosen = localStorage.getItem("faultloop-theme"); } catch { /* some browsers: not on file: */ }
const paint = () => {
  document.documentElement.dataset.theme = chosen ?? (dark.matches ? "dark" : "light");
};
paint();
dark.addEventListener("change", paint);
theme.addEventListener("click", () => {
  chosen = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
  try { localStorage.setItem("faultloop-theme", chosen); } catch { /* remembered for this visit */ }
  paint();
});
