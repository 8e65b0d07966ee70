// The matrix of many subjects: an entry for each promise and column; entry.js tells what was seen there.

const data = JSON.parse(document.getElementById("data").textContent);
const glyphs = Object.fromEntries(data.marks.map((mark) => [mark.name, mark.glyph]));
const words = Object.fromEntries(data.marks.map((mark) => [mark.name, mark.words]));
const order = data.marks.map((mark) => mark.name);
const byId = (id) => document.getElementById(id);
const promise = (name) => name.replaceAll("_", " ");
const count = (number, noun) => `${number} ${noun}${number === 1 ? "" : "s"}`;

/** An element; text of subjects only ever enters as text nodes. */
function make(tag, properties = {}, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

/** A text with what stands between backticks as code. */
const rich = (text) => text.split(/`([^`\n]+)`/).map((part, index) =>
  index % 2 ? make("code", {}, part) : part);

const glyph = (mark) => make("span", { className: `glyph ${mark}`, ariaHidden: "true" }, glyphs[mark]);
const explained = {
  policy: "its authors say that it does so; counted apart",
  unknown: "the evidence does not tell, or one driver's word is all there is",
  ended: "its run broke off before it came to this",
  not_applicable: "nothing was asked of it here",
};

byId("facts").append(...Object.entries(data.facts).map(([name, value]) =>
  make("div", {}, make("dt", {}, name), make("dd", {}, value))));
byId("legend").append(...order.map((mark) => make("li", {}, glyph(mark), make("b", {}, words[mark]),
  explained[mark] ? `: ${explained[mark]}` : null)));
if (data.left.length) {
  byId("left").append(make("p", {}, "Not played:"), make("ul", {}, ...data.left.map((one) =>
    make("li", {}, ...rich(one)))));
}

/** An entry is painted as loudly as its worst mark is frequent; what else there is stands below. */
function square(check, column) {
  const entry = column.entries[check.name];
  if (!entry || entry.mark === "not_applicable") {
    return make("td", {}, make("span", { className: "none", title: words.not_applicable }, "–"));
  }
  const there = order.filter((mark) => entry.counts[mark] && mark !== "not_applicable");
  const isRare = entry.tested > 0 && entry.counts[entry.mark] * 2 < entry.tested;
  const said = `${promise(check.name)}, ${column.subject} ${column.words}: `
    + there.map((mark) => `${entry.counts[mark]} ${words[mark]}`).join(", ");
  const number = (mark) => make("span", { className: mark }, `${glyphs[mark]} ${entry.counts[mark]}`);
  return make("td", {}, make("button", {
    type: "button", className: `cell ${entry.mark}${isRare ? " rare" : ""}`, title: said, ariaLabel: said,
    onclick: () => openEntry(check, column),
  }, number(there[0]), there.length > 1 ? make("small", {}, ...there.slice(1).map(number)) : null));
}

function sums(columns) {
  const rows = order.filter((mark) => columns.some((column) => column.totals[mark]));
  return make("tbody", { className: "sums" },
    make("tr", {}, make("th", { className: "promise group", scope: "rowgroup" },
      `In sum: ${data.checks.length} promises, each by the worst that was seen of it`),
    ...columns.map(() => make("td"))),
    ...rows.map((mark) => make("tr", {},
      make("th", { className: "promise", scope: "row" }, glyph(mark), ` ${words[mark]}`),
      ...columns.map((column) => make("td", { className: `sum ${mark}` }, String(column.totals[mark] ?? 0))))));
}

function row(check, columns) {
  return make("tr", {},
    make("th", { className: "promise", scope: "row" }, promise(check.name), " ",
      make("span", { className: "tag" }, check.claim), make("p", {}, ...rich(check.promise))),
    ...columns.map((column) => square(check, column)));
}

/** Rows of nothing but dashes, behind a line that says how many they are. */
function folded(checks, columns) {
  if (!checks.length) return [];
  const rows = make("tbody", { hidden: true }, ...checks.map((check) => row(check, columns)));
  const said = `${count(checks.length, "promise")} that none of these plays put to the test`;
  const toggle = make("button", { type: "button", className: "quiet", ariaExpanded: "false", onclick: () => {
    rows.hidden = !rows.hidden;
    toggle.ariaExpanded = String(!rows.hidden);
    toggle.firstChild.data = rows.hidden ? "▸ " : "▾ ";
  } }, "▸ ", said);
  return [make("tbody", {}, make("tr", {}, make("th", { className: "promise group" }, toggle),
    ...columns.map(() => make("td")))), rows];
}

function draw() {
  const wanted = byId("find").value.trim().toLowerCase();
  const form = byId("form").value;
  const columns = data.columns.filter((column) =>
    column.subject.toLowerCase().includes(wanted) && (!form || column.words.includes(form)));
  const head = make("tr", {}, make("th", { className: "corner" }, "promise"), ...columns.map((column) => make("th", {
    scope: "col", title: `${column.about} ${column.played} of ${column.plays} plays apply. Click: how it was driven.`,
  }, make("button", { type: "button", onclick: () => openColumn(column) },
    make("b", {}, column.subject), make("small", {}, column.version), make("small", {}, column.words)))));
  const isAsked = (check) => columns.some((column) =>
    (column.entries[check.name]?.mark ?? "not_applicable") !== "not_applicable");
  const asked = data.checks.filter(isAsked);
  byId("matrix").replaceChildren(make("thead", {}, head), sums(columns),
    make("tbody", {}, ...asked.map((check) => row(check, columns))),
    ...folded(data.checks.filter((check) => !isAsked(check)), columns));
  byId("matrix").hidden = columns.length === 0;
  byId("none").hidden = columns.length > 0 || data.columns.length === 0;
}
