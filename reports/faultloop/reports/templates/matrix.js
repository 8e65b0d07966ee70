// The first screen: the headline's bar, what broke, and the matrix of scenarios by columns.

const state = { verdict: "", subject: "", claim: "", find: "" };
const BREACHES_SHOWN = 6;
const count = (number, noun) => `${number} ${noun}${number === 1 ? "" : "s"}`;

function bar(totals) {
  return shownOrder.filter((verdict) => totals[verdict]).map((verdict) => {
    const part = make("i", { className: verdict, title: `${totals[verdict]} ${words[verdict]}` });
    part.style.flex = totals[verdict];
    return part;
  });
}

function buildTop() {
  byId("run").textContent = `· ${count(plays.length, "play")}, seed ${data.seed}`;
  byId("bar").append(...bar(data.totals));
  byId("legend").append(...shownOrder.map((verdict) =>
    make("button", {
      type: "button", aria: { pressed: "false" }, data: { verdict },
      onclick: () => choose({ verdict: state.verdict === verdict ? "" : verdict }),
    }, glyph(verdict), make("b", {}, String(data.totals[verdict])), words[verdict])));
  if (data.standings.length < 2) return;
  byId("standings").append(...data.standings.map((one) => {
    const tally = make("span", { className: "tally" });
    for (const verdict of shownOrder) {
      if (one.totals[verdict]) tally.append(glyph(verdict), ` ${one.totals[verdict]}  `);
    }
    return make("button", {
      type: "button", title: one.sentence,
      onclick: () => choose({ subject: state.subject === one.subject ? "" : one.subject }),
    },
    make("span", { className: "who" }, bare(one.subject), make("small", {}, one.version)),
    make("span", { className: "bar", aria: { hidden: "true" } }, ...bar(one.totals)), tally);
  }));
}

function buildBreaches() {
  const found = data.checks.map((check) => ({
    ...check,
    plays: plays.filter((play) => play.checks.some(
      (one) => one.name === check.name && one.claim === check.claim && one.verdict === "broken")),
  })).filter((check) => check.plays.length);
  found.sort((a, b) => b.plays.length - a.plays.length);
  byId("breaches").hidden = !found.length;
  byId("breaches").querySelector("ol").append(...found.map((check) => make("li", {},
    make("button", {
      type: "button", aria: { pressed: "false" }, data: { claim: check.claim },
      onclick: () => {
        choose({ claim: state.claim === check.claim ? "" : check.claim });
        byId("filters").scrollIntoView({ block: "start" });
      },
    },
    make("span", { className: "what" }, promise(check.name), " ",
      make("span", { className: "tag" }, check.claim)),
    make("span", { className: "count" }, `${glyphs.broken} ${count(check.plays.length, "play")}`),
    make("span", { className: "why" }, check.why)))));
  const rest = [...byId("breaches").querySelectorAll("li")].slice(BREACHES_SHOWN);
  const all = byId("all-breaches");
  all.hidden = rest.length === 0;
  all.textContent = `show all ${found.length} broken promises`;
  for (const item of rest) item.hidden = true;
  all.addEventListener("click", () => {
    for (const item of rest) item.hidden = false;
    all.hidden = true;
    rest[0].firstChild.focus();
  });
}

const rows = [];  // {element, group, scenario, cells: [{element, plays}]}

function buildMatrix() {
  const first = data.columns.map((column, index) =>
    index === 0 || column.subject !== data.columns[index - 1].subject
      || column.tier !== data.columns[index - 1].tier);
  const who = make("tr", {}, make("th", { scope: "col" }));
  data.columns.forEach((column, index) => {
    if (!first[index]) { who.lastChild.colSpan += 1; return; }
    who.append(make("th", { className: "who first", scope: "colgroup" },
      bare(column.subject), make("small", {}, column.subject.slice(bare(column.subject).length)), " ",
      make("span", { className: "tag" }, column.tier)));
  });
  const ways = make("tr", {}, make("th", { scope: "col" }, "scenario"),
    ...data.columns.map((_, index) => make("th", {
      className: first[index] ? "way first" : "way", scope: "col" }, labels[index])));
  const table = byId("matrix");
  table.append(make("thead", {}, who, ways));

  const grouped = data.scenarios.map(() => data.columns.map(() => []));
  for (const play of plays) grouped[play.row][play.column].push(play);
  let group = null;
  data.scenarios.forEach((scenario, row) => {
    if (group === null || group.family !== scenario.family) {
      const title = make("th", { className: "family", colSpan: data.columns.length + 1,
        scope: "rowgroup" }, make("span", { className: "tag" }, scenario.family),
        data.families[scenario.family]);
      group = { family: scenario.family, element: make("tbody", {}, make("tr", {}, title)) };
      table.append(group.element);
    }
    const cells = grouped[row].map((found, column) => ({
      plays: found,
      element: make("td", { className: first[column] ? "first" : "" }),
    }));
    const name = make("th", { className: "scenario", scope: "row" },
      make("b", {}, scenario.name), " ",
      make("span", { className: "tag" }, scenario.claims.join(" ")),
      make("p", { title: scenario.claim }, scenario.claim));
    const element = make("tr", {}, name, ...cells.map((cell) => cell.element));
    group.element.append(element);
    rows.push({ element, group, scenario, cells });
  });
  table.append(make("tbody", { id: "nothing", hidden: true }, make("tr", {},
    make("td", { className: "empty", colSpan: data.columns.length + 1 },
      plays.length ? "No play fits these filters." : "Nothing was played."))));
}

/** What a play says of the chosen promise; of all its promises where none is chosen. */
function verdictOf(play) {
  if (!state.claim) return play.verdict;
  return worst(play.checks.filter((one) => one.claim === state.claim).map((one) => one.verdict));
}

function fillCell(cell) {
  const verdicts = cell.plays.map(verdictOf);
  const verdict = worst(verdicts);
  cell.element.replaceChildren();
  cell.verdict = verdict;
  if (!verdict) return;
  const number = verdicts.filter((one) => one === verdict).length;
  const many = verdicts.length > 1 ? make("small", {},
    verdict === "held" || number === verdicts.length ? `${number}` : `${number}/${verdicts.length}`) : null;
  const worstPlay = cell.plays[verdicts.indexOf(verdict)];
  const said = verdicts.length > 1 ? `, ${number} of ${verdicts.length} plays` : "";
  cell.element.append(make("button", {
    type: "button", className: `cell ${verdict}`, tabIndex: -1,
    title: `${words[verdict]}${said}: ${text(worstPlay.reason)}`,
    aria: { label: `${data.scenarios[worstPlay.row].name}, `
      + `${data.columns[worstPlay.column].subject}: ${words[verdict]}${said}` },
    onclick: () => openPlay(worstPlay),
  }, make("span", { aria: { hidden: "true" } }, glyphs[verdict]), many));
}

function choose(change) {
  Object.assign(state, change);
  const fits = (verdict) => !state.verdict || verdict === state.verdict
    || (state.verdict === "failed" && failed(verdict));
  let shown = 0;
  const alive = new Set();
  for (const row of rows) {
    let any = false;
    row.cells.forEach((cell, column) => {
      if ("claim" in change || !("verdict" in cell)) fillCell(cell);
      const mine = !state.subject || data.columns[column].subject === state.subject;
      const counts = cell.verdict !== undefined && mine && fits(cell.verdict);
      cell.element.firstChild?.classList.toggle("apart", !counts);
      any ||= counts;
    });
    const named = `${row.scenario.name} ${row.scenario.claim}`.toLowerCase();
    any &&= named.includes(state.find.toLowerCase());
    row.element.hidden = !any;
    if (any) { shown += 1; alive.add(row.group.element); }
  }
  for (const row of rows) row.group.element.hidden = !alive.has(row.group.element);
  byId("nothing").hidden = shown > 0;
  byId("shown").textContent = shown === rows.length
    ? count(shown, "scenario") : `${shown} of ${count(rows.length, "scenario")}`;
  byId("only-failed").checked = state.verdict === "failed";
  byId("by-subject").value = state.subject;
  byId("by-claim").value = state.claim;
  for (const button of document.querySelectorAll("[aria-pressed]")) {
    const pressed = button.dataset.verdict === state.verdict || button.dataset.claim === state.claim;
    button.setAttribute("aria-pressed", String(Boolean(pressed && (button.dataset.verdict || state.claim))));
  }
  const reachable = document.querySelector("tr:not([hidden]) .cell");
  document.querySelectorAll('.cell[tabindex="0"]').forEach((cell) => { cell.tabIndex = -1; });
  if (reachable) reachable.tabIndex = 0;
}

function buildFilters() {
  const subjects = [...new Set(data.columns.map((column) => column.subject))];
  byId("by-subject").append(...subjects.map((name) => make("option", { value: name }, name)));
  const claims = new Map();
  for (const check of data.checks) {
    claims.set(check.claim, [...claims.get(check.claim) ?? [], promise(check.name)]);
  }
  const sorted = [...claims].sort(([a], [b]) => a.localeCompare(b, "en", { numeric: true }));
  byId("by-claim").append(...sorted.map(([claim, names]) =>
    make("option", { value: claim }, `${claim} ${names.join(", ")}`)));
  byId("filters").addEventListener("submit", (event) => event.preventDefault());
  byId("only-failed").addEventListener("change", (event) =>
    choose({ verdict: event.target.checked ? "failed" : "" }));
  byId("by-subject").addEventListener("change", (event) => choose({ subject: event.target.value }));
  byId("by-claim").addEventListener("change", (event) => choose({ claim: event.target.value }));
  byId("find").addEventListener("input", (event) => choose({ find: event.target.value }));
}

/** Arrow keys walk over the cells that are shown. */
function walk(event) {
  const steps = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
  const step = steps[event.key];
  const here = event.target.closest?.(".cell");
  if (!step || !here) return;
  event.preventDefault();
  const shown = rows.filter((row) => !row.element.hidden);
  let line = shown.findIndex((row) => row.element.contains(here));
  let column = shown[line].cells.findIndex((cell) => cell.element.contains(here));
  for (;;) {
    line += step[0];
    column += step[1];
    const cell = shown[line]?.cells[column];
    if (!cell) return;
    const button = cell.element.firstChild;
    if (!button) continue;
    here.tabIndex = -1;
    button.tabIndex = 0;
    button.focus();
    return;
  }
}

buildTop();
buildBreaches();
buildMatrix();
buildFilters();
choose({});
byId("matrix").addEventListener("keydown", walk);
