// What was seen in one entry of the matrix, and how a column's subject was driven; then the page begins.

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

/** What was seen; how it might have ended is told as a list, where the scenario is known. */
function seen(breach, scenario) {
  const [before, accepted, after] = breach.sentence.split(/(accepted: .*?; seen: )/s);
  if (!accepted || !scenario.accepted.length) return [make("p", {}, ...rich(breach.sentence))];
  return [make("p", {}, ...rich(`${before}seen: ${after}`)),
    make("p", { className: "soft" }, scenario.accepted.length > 1 ? "Accepted, any of:" : "Accepted:"),
    make("ul", {}, ...scenario.accepted.map((one) => make("li", {}, one)))];
}

function breachCard(breach) {
  const scenario = data.scenarios[breach.scenario];
  const times = breach.of > 1 ? ` (${breach.plays} of ${breach.of} plays)` : "";
  return make("article", { className: `breach ${breach.mark}` },
    make("b", {}, glyph(breach.mark), ` ${scenario.name}${times}: ${words[breach.mark]}`),
    scenario.claim ? make("p", { className: "soft" }, ...rich(scenario.claim)) : null,
    ...seen(breach, scenario),
    breach.policy ? make("p", {}, "Policy: ", ...rich(breach.policy), " ", make("a", { href: breach.source }, "source")) : null,
    replayLine(breach.replay),
    breach.timeline ? make("a", { href: breach.timeline }, "timeline") : null,
    data.texts[breach.stderr] ? make("details", {}, make("summary", {}, "its standard error"),
      make("pre", { className: "stderr" }, data.texts[breach.stderr])) : null);
}

function heldList(entry) {
  if (!entry.held.length) return null;
  const names = entry.held.map((index) => make("li", {},
    make("b", {}, data.scenarios[index].name), " ", ...rich(data.scenarios[index].claim)));
  return make("details", { open: !entry.breaches.length },
    make("summary", {}, glyph("held"), ` held in all plays of ${count(names.length, "scenario")}`),
    make("ul", {}, ...names));
}

/** Show a sheet; its place in the address lets it be sent to somebody, and come back to. */
function show(place, where, title, reason, ...told) {
  const close = make("button", { type: "button", className: "quiet", onclick: () => dialog.close() }, "✕ close");
  dialog.querySelector(".sheet").replaceChildren(
    make("header", {}, make("nav", {}, make("span", { className: "where" }, where), close),
      make("h2", { id: "entry-title" }, title), make("p", { className: "reason" }, ...rich(reason))),
    make("div", { className: "told" }, ...told.filter(Boolean)));
  if (!dialog.open) dialog.showModal();
  dialog.scrollTop = 0;
  address(`#${place.map(encodeURIComponent).join("/")}`);
}

function address(hash) {
  try { history.replaceState(null, "", hash || location.pathname + location.search); } catch { /* on some file: pages */ }
}

const placeOf = (column) => [`${column.subject} ${column.version}`, column.words];

function openEntry(check, column) {
  const entry = column.entries[check.name];
  const tally = order.filter((mark) => entry.counts[mark])
    .map((mark) => `${entry.counts[mark]} ${words[mark]}`).join(", ");
  show([...placeOf(column), check.name],
    `${column.words}: ${tally}`, `${column.subject} ${column.version}: ${promise(check.name)}`,
    `Promise ${check.claim}: ${check.promise}`,
    ...entry.breaches.map(breachCard), heldList(entry),
    make("h3", {}, "Why loops are asked for it"), make("p", {}, ...rich(check.why)),
    ...(entry.mark === "held" ? [] : [
      make("h3", {}, "How loops keep it"), make("p", {}, ...rich(check.cure))]));
}

function openColumn(column) {
  const lines = column.driven.split("\n").map((line) => line.trim()).filter(Boolean);
  show(placeOf(column), column.words, `${column.subject} ${column.version}`, column.about,
    make("p", { className: "soft" }, `${column.played} of ${count(column.plays, "play")} apply; played on ${column.date}`
      + ` in ${Math.ceil(column.wall_s / 60)} min, all its columns together.`),
    make("h3", {}, "How it was driven"),
    ...(lines.length ? lines.map((line) => make("p", {}, ...rich(line)))
      : [make("p", {}, "Nothing more is said of it than that.")]),
    make("h3", {}, "§ Documented policy"),
    column.policies.length
      ? make("ul", {}, ...column.policies.map((one) => make("li", {}, ...rich(one.says), " ",
        make("a", { href: one.source }, "source"))))
      : make("p", {}, "None is on record here that a promise says otherwise of."));
}

/** The sheet that the address names, if it is one of this page. */
function openNamed() {
  let named;
  try { named = location.hash.slice(1).split("/").map(decodeURIComponent); } catch { return; }
  const column = data.columns.find((one) => placeOf(one).every((part, index) => part === named[index]));
  const check = data.checks.find((one) => one.name === named[2]);
  if (column && check && column.entries[check.name]) openEntry(check, column);
  else if (column && named.length === 2) openColumn(column);
}

dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
dialog.addEventListener("close", () => address(""));
byId("find").addEventListener("input", draw);
byId("form").addEventListener("input", draw);
byId("all").addEventListener("click", () => { byId("find").value = ""; byId("form").value = ""; draw(); });
byId("filters").addEventListener("submit", (event) => event.preventDefault());
byId("theme").addEventListener("click", () => {
  const root = document.documentElement;
  root.dataset.theme = root.dataset.theme === "dark" ? "light" : "dark";
});
if (matchMedia("(prefers-color-scheme: dark)").matches) document.documentElement.dataset.theme = "dark";
draw();
openNamed();
