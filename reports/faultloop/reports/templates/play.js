// One play: what was promised, accepted and seen, how to play it again, and its timeline.

const dialog = byId("play");
const sheet = dialog.querySelector(".sheet");
let current = null;
let lanes = null;

function story(play) {
  const element = document.querySelector(`script[data-play="${CSS.escape(play.name)}"]`);
  return element ? JSON.parse(element.textContent) : null;
}

function section(title, ...children) {
  return [make("h3", {}, title), ...children];
}

function findingCard(finding, timeline) {
  const proofs = finding.positions.map((position) => make("button", {
    type: "button", title: "show it in the timeline", onclick: () => timeline.go(position),
  }, String(position)));
  const card = make("article", {
    className: `finding ${finding.verdict}`,
    onmouseenter: () => timeline.light(finding.positions), onmouseleave: () => timeline.light([]),
  },
  make("div", { className: "name" }, glyph(finding.verdict), promise(finding.name),
    make("span", { className: "tag" }, finding.claim)),
  make("p", {}, finding.sentence),
  proofs.length ? make("div", { className: "proofs" }, "seen at", ...proofs) : null);
  if (finding.why || finding.cure) {
    card.append(make("dl", {},
      make("dt", {}, "Why it matters"), make("dd", {}, finding.why),
      make("dt", {}, "How loops fix it"), make("dd", {}, finding.cure)));
  }
  return card;
}

function replayLine(command) {
  const copy = make("button", { type: "button", onclick: async () => {
    try {
      await navigator.clipboard.writeText(command);
      copy.textContent = "copied";
    } catch {  // no clipboard on file: in some browsers; the selected text can be copied by hand
      getSelection().selectAllChildren(code);
      copy.textContent = "selected";
    }
    setTimeout(() => { copy.textContent = "copy"; }, 1500);
  } }, "copy");
  const code = make("code", {}, command);
  return make("div", { className: "replay" }, code, copy);
}

function quietList(title, listed, timeline) {
  return make("details", { open: !current.checks.some((one) => failed(one.verdict)) },
    make("summary", {}, title),
    make("ul", { className: "held-list" }, ...listed.map((one) => make("li", {
      onmouseenter: () => timeline.light(one.positions), onmouseleave: () => timeline.light([]),
    }, glyph(one.verdict), " ", make("b", {}, promise(one.name)), " ",
    make("span", { className: "tag" }, one.claim), ` ${one.sentence}`))));
}

function siblings(play) {
  const others = plays.filter((one) => one.row === play.row)
    .sort((a, b) => a.column - b.column || a.index - b.index);
  if (others.length < 2) return null;
  const repeated = new Set(others.map((one) => one.column)).size < others.length;
  return make("div", { className: "siblings", aria: { label: "other plays of this scenario" } },
    ...others.map((one) => {
      const column = data.columns[one.column];
      const which = repeated ? `, ${one.seed === data.seed ? "" : `seed ${one.seed} `}repeat ${one.repeat}` : "";
      return make("button", {
        type: "button", aria: { current: String(one === play) }, onclick: () => openPlay(one),
      }, glyph(one.verdict), ` ${column.subject}, ${labels[one.column]}${which}`);
    }));
}

function head(play) {
  const scenario = data.scenarios[play.row];
  const column = data.columns[play.column];
  const version = data.standings.find((one) => one.subject === column.subject)?.version ?? "";
  return make("header", {},
    make("nav", { aria: { label: "plays" } },
      make("span", { className: "where" }, make("b", {}, scenario.name), " ",
        make("span", { className: "tag" }, scenario.claims.join(" ")),
        ` · ${bare(column.subject)} ${version} · ${column.label} · ${column.tier} · seed ${play.seed}, repeat ${play.repeat}`),
      make("button", { type: "button", className: "quiet", title: "previous failed play (k)", onclick: () => step(-1) }, "‹ previous"),
      make("button", { type: "button", className: "quiet", title: "next failed play (j)", onclick: () => step(1) }, "next ›"),
      make("button", { type: "button", className: "quiet", title: "close (Esc)", onclick: () => dialog.close() }, "✕ close")),
    make("h2", { id: "play-title" }, scenario.claim || scenario.name),
    make("p", { className: "reason" },
      make("span", { className: `verdict ${play.verdict}` }, glyph(play.verdict), words[play.verdict]),
      text(play.reason)),
    siblings(play));
}

function openPlay(play) {
  current = play;
  const told = story(play);
  const scenario = data.scenarios[play.row];
  const findings = shownOrder.flatMap((verdict) => play.checks.filter((one) => one.verdict === verdict));
  const cards = new Map();
  const timeline = buildTimeline(told?.marks ?? [], findings, (finding) => {
    for (const [one, card] of cards) card.classList.toggle("lit", one === finding);
    cards.get(finding)?.scrollIntoView({ block: "center" });
  });
  for (const finding of findings.filter((one) => failed(one.verdict) && !one.said)) {
    cards.set(finding, findingCard(finding, timeline));
  }
  const held = findings.filter((one) => one.verdict === "held");
  const uncounted = findings.filter((one) => one.said);
  const left = make("div", { className: "told" },
    ...(scenario.accepted.length ? section(
      scenario.accepted.length > 1 ? "Accepted, any of" : "Accepted",
      scenario.accepted.length > 1
        ? make("ul", { className: "accepted" }, ...scenario.accepted.map((one) => make("li", {}, one)))
        : make("p", {}, scenario.accepted[0])) : []),
    ...(told ? section("Happened", make("p", {}, told.happened)) : []),
    ...(cards.size ? section("Found", ...cards.values()) : []),
    held.length ? quietList(`${count(held.length, "promise")} held`, held, timeline) : null,
    uncounted.length ? quietList(`${count(uncounted.length, "finding")} that count for nothing here`,
      uncounted, timeline) : null,
    ...(text(play.replay) ? section("Play it again", replayLine(text(play.replay)),
      failed(play.verdict) ? make("p", { className: "saved" }, "Saved as it was: ",
        make("code", {}, `faultloop replay failures/${play.name}`), " in this report's directory.") : null) : []),
    ...(told?.stderr ? section("What the subject wrote to standard error",
      make("pre", { className: "stderr" }, told.stderr)) : []),
    !told && play.verdict !== "not_applicable"
      ? make("p", { className: "nothing" }, "Its history is in histories.jsonl.gz beside this page: there are too many to show them all here.") : null);
  const columns = make("div", { className: "columns" }, left);
  if (told?.marks.length) columns.append(timeline.element);
  sheet.replaceChildren(head(play), columns);
  if (!dialog.open) dialog.showModal();
  dialog.scrollTop = 0;
  lanes = told?.marks.length ? timeline : null;
  lanes?.draw();
  lanes?.focus();
  history.replaceState(null, "", `#${encodeURIComponent(play.name)}`);
}

/** The next failed play in the order of the matrix; any play where none failed. */
function step(direction) {
  const wanted = plays.some((play) => failed(play.verdict)) ? plays.filter((play) => failed(play.verdict)) : plays;
  const ordered = [...wanted].sort((a, b) => a.row - b.row || a.column - b.column || a.index - b.index);
  const here = ordered.indexOf(current);
  openPlay(ordered[(here + direction + ordered.length) % ordered.length]);
}

dialog.addEventListener("close", () => {
  history.replaceState(null, "", location.pathname + location.search);
  const cell = rows[current.row]?.cells[current.column]?.element.firstChild;
  cell?.focus();
});
dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
dialog.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "j") step(1);
  if (event.key === "k") step(-1);
});
addEventListener("resize", () => lanes?.draw());

const opened = () => plays.find((play) => play.name === decodeURIComponent(location.hash.slice(1)));
if (opened()) openPlay(opened());
addEventListener("hashchange", () => { if (opened()) openPlay(opened()); });
