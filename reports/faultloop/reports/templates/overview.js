// The matrix of many subjects: one cell per promise and column; a click tells what was seen there.

const data = JSON.parse(document.getElementById("data").textContent);
const glyphs = { broken: "✗", policy: "§", unknown: "?", held: "✓", not_applicable: "–" };
const words = {
  broken: "broken", policy: "documented policy", unknown: "cannot tell", held: "held",
  not_applicable: "not put to the test",
};
const byId = (id) => document.getElementById(id);
const promise = (name) => name.replaceAll("_", " ");

/** An element; text of subjects only ever enters as text nodes. */
function make(tag, properties = {}, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

const glyph = (mark) => make("span", { className: `glyph ${mark}`, ariaHidden: "true" }, glyphs[mark]);

byId("facts").append(...Object.entries(data.facts).map(([name, value]) =>
  make("div", {}, make("dt", {}, name), make("dd", {}, value))));
byId("legend").append(...Object.keys(glyphs).map((mark) =>
  make("span", {}, glyph(mark), words[mark])));
if (data.left.length) {
  byId("left").append(make("p", {}, "Not played:"), make("ul", {}, ...data.left.map((one) =>
    make("li", {}, `${one.subject} ${one.version}: ${one.why}`))));
}

function cell(check, column) {
  const entry = column.entries[check.name];
  if (!entry || entry.mark === "not_applicable") {
    return make("td", {}, make("span", { className: "none", title: words.not_applicable }, "–"));
  }
  const counts = entry.counts;
  const tested = Object.entries(counts)
    .reduce((sum, [mark, number]) => sum + (mark === "not_applicable" ? 0 : number), 0);
  const number = entry.mark === "held" ? `${tested}` : `${counts[entry.mark]}/${tested}`;
  const said = `${promise(check.name)}, ${column.subject} ${column.words}: ${words[entry.mark]}, ${number}`;
  return make("td", {}, make("button", {
    type: "button", className: `cell ${entry.mark}`, title: said, ariaLabel: said,
    onclick: () => open(check, column, entry),
  }, make("span", { ariaHidden: "true" }, glyphs[entry.mark]), make("small", {}, number)));
}

function draw() {
  const wanted = byId("find").value.trim().toLowerCase();
  const form = byId("form").value;
  const columns = data.columns.filter((column) =>
    column.subject.toLowerCase().includes(wanted) && (!form || column.words.includes(form)));
  const head = make("tr", {}, make("th", {}, "promise"), ...columns.map((column) => make("th", {
    scope: "col", title: `${column.about} ${column.played} of ${column.plays} plays apply`,
  }, column.subject, make("small", {}, column.version), make("small", {}, column.words))));
  const rows = data.checks.map((check) => make("tr", {},
    make("th", { className: "promise", scope: "row" }, promise(check.name),
      make("span", { className: "tag" }, check.claim), make("p", {}, check.promise)),
    ...columns.map((column) => cell(check, column))));
  byId("matrix").replaceChildren(make("thead", {}, head), make("tbody", {}, ...rows));
  byId("none").hidden = columns.length > 0;
}

const dialog = byId("entry");

function replayLine(command) {
  const code = make("code", {}, command);
  const copy = make("button", { type: "button", onclick: async () => {
    try {
      await navigator.clipboard.writeText(command);
      copy.textContent = "copied";
    } catch {  // no clipboard on file: in some browsers; the selected text can be copied by hand
      getSelection().selectAllChildren(code);
    }
  } }, "copy");
  return make("div", { className: "replay" }, code, copy);
}

function breachCard(breach) {
  const times = breach.of > 1 ? ` (${breach.plays} of ${breach.of} plays)` : "";
  return make("article", { className: `breach ${breach.mark}` },
    make("b", {}, glyph(breach.mark), ` ${breach.scenario}${times}`),
    make("p", {}, breach.sentence),
    breach.policy ? make("p", {}, `Policy: ${breach.policy} `, make("a", { href: breach.source }, "source")) : null,
    replayLine(breach.replay),
    breach.timeline ? make("a", { href: breach.timeline }, "timeline") : null,
    breach.stderr ? make("details", {}, make("summary", {}, "its standard error"),
      make("pre", { className: "stderr" }, breach.stderr)) : null);
}

function open(check, column, entry) {
  const tally = Object.keys(glyphs).filter((mark) => entry.counts[mark])
    .map((mark) => `${entry.counts[mark]} ${words[mark]}`).join(", ");
  const title = make("h2", { id: "entry-title" }, `${column.subject} ${column.version}: ${promise(check.name)}`);
  const close = make("button", { type: "button", className: "quiet", onclick: () => dialog.close() }, "close");
  dialog.querySelector(".sheet").replaceChildren(
    make("header", {}, make("nav", {}, make("span", { className: "where" }, `${column.words}, ${tally}`), close),
      title, make("p", { className: "reason" }, check.promise)),
    make("div", { className: "told" }, ...entry.breaches.map(breachCard),
      entry.breaches.length ? null : make("p", {}, "Every play that put it to the test kept it."),
      ...(entry.mark === "held" ? [] : [
        make("p", {}, make("b", {}, "Why it matters: "), check.why),
        make("p", {}, make("b", {}, "How loops fix it: "), check.cure)])));
  dialog.showModal();
}

dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
byId("find").addEventListener("input", draw);
byId("form").addEventListener("input", draw);
byId("filters").addEventListener("submit", (event) => event.preventDefault());
byId("theme").addEventListener("click", () => {
  const root = document.documentElement;
  const dark = root.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
  root.dataset.theme = dark === "dark" ? "light" : "dark";
});
if (matchMedia("(prefers-color-scheme: dark)").matches) document.documentElement.dataset.theme = "dark";
draw();
