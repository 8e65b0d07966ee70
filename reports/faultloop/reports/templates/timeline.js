// The timeline of one play: lanes drawn as one SVG beside a list of entries, newest last.

const drawn = document.createElement("template");
/** An SVG element from markup of ours; nothing of a subject is ever in it. */
function svg(markup) {
  drawn.innerHTML = markup;
  return drawn.content.firstElementChild;
}

const shapes = {
  said: (x, y, c) => `<rect x="${x - 6}" y="${y - 6}" width="12" height="12" rx="3" fill="${c}"/>`,
  out: (x, y, c) => `<circle cx="${x}" cy="${y}" r="4.5" fill="var(--panel)" stroke="${c}" stroke-width="2.2"/>`,
  back: (x, y, c) => `<circle cx="${x}" cy="${y}" r="5" fill="${c}"/>`,
  bad: (x, y) => `<circle cx="${x}" cy="${y}" r="7" fill="var(--broken-fill)"/>`
    + `<path d="M${x - 3} ${y - 3}l6 6m0 -6l-6 6" stroke="#fff" stroke-width="1.8"/>`,
  effect: (x, y, c) => `<path d="M${x} ${y - 8}l8 8l-8 8l-8 -8z" fill="${c}"/>`,
  fault: (x, y) => `<path d="M${x + 2} ${y - 9}l-8 10h5l-2 8l8 -10h-5z" fill="var(--unknown)"/>`,
  kill: (x, y) => `<path d="M${x - 7} ${y - 7}l14 14m0 -14l-14 14" stroke="var(--broken-fill)" stroke-width="4" stroke-linecap="round"/>`,
  hand: (x, y, c) => `<path d="M${x - 6} ${y - 6}h12v12h-12z" fill="var(--panel)" stroke="${c}" stroke-width="2.2"/>`,
  start: (x, y, c) => `<path d="M${x - 5} ${y - 7}l12 7l-12 7z" fill="${c}"/>`,
  end: (x, y, c) => `<rect x="${x - 6}" y="${y - 6}" width="12" height="12" fill="${c}"/>`,
};

function drawLanes(marks, lane, row, proofs) {
  const middle = (name) => data.lanes.indexOf(name) * lane + lane / 2;
  const width = data.lanes.length * lane;
  const last = data.lanes.length - 1;
  const y = (line) => line * row + row / 2;
  const spread = Math.min(9, lane / 4);
  const x = (mark) => middle(mark.lane)
    + (mark.lane === "tools" || mark.lane === "wire" ? (mark.slot ?? 0) * spread : 0);
  const parts = data.lanes.map((name) => `<line x1="${middle(name)}" x2="${middle(name)}" y1="0" `
    + `y2="${marks.length * row}" stroke="var(--line)" stroke-width="1.5"/>`);

  const spans = new Map();
  marks.forEach((mark, line) => {
    const home = mark.span?.[0] === "r" ? "wire" : "tools";
    if (!mark.span) return;
    if (mark.lane === home && mark.look === "out") spans.set(mark.span, { mark, from: line, home });
    const span = spans.get(mark.span);
    if (!span) return;
    if (mark.lane === home && mark.look !== "out") span.to = line;
    if (mark.lane !== home) {
      const dash = mark.look === "fault" ? ' stroke-dasharray="2 3"' : "";
      parts.push(`<line x1="${x(span.mark)}" x2="${x(mark)}" y1="${y(line)}" y2="${y(line)}" `
        + `stroke="var(--${mark.lane === "bench" ? "unknown" : mark.lane})" stroke-width="1.8"${dash}/>`);
    }
  });
  for (const { mark, from, to, home } of spans.values()) {
    // Never closed: it hangs until its start is over, or longer where its work went on.
    const over = marks.findIndex((one, line) => line > from && one.start === mark.start
      && (one.look === "kill" || one.title.startsWith(`start ${mark.start} `)));
    const late = marks.findLastIndex((one) => one.span === mark.span);
    const end = to ?? Math.max(over < 0 ? marks.length - 1 : over, late);
    const dash = to === undefined ? ' stroke-dasharray="4 4"' : "";
    parts.push(`<line x1="${x(mark)}" x2="${x(mark)}" y1="${y(from)}" y2="${y(end)}" `
      + `stroke="var(--${home})" stroke-width="4" opacity=".55"${dash}/>`);
  }
  marks.forEach((mark, line) => {
    if (mark.look === "kill" || (mark.look === "hand" && mark.lane === "bench")) {
      const colour = mark.look === "kill" ? "var(--broken-fill)" : "var(--bench)";
      parts.push(`<line x1="0" x2="${middle(data.lanes[last])}" y1="${y(line)}" y2="${y(line)}" `
        + `stroke="${colour}" stroke-width="${mark.look === "kill" ? 2.5 : 1.5}" stroke-dasharray="5 3"/>`);
    }
    if (proofs.has(mark.position)) {
      parts.push(`<circle cx="${x(mark)}" cy="${y(line)}" r="11.5" fill="none" `
        + `stroke="var(--${proofs.get(mark.position)[0].verdict})" stroke-width="2"/>`);
    }
    parts.push(shapes[mark.look](x(mark), y(line), `var(--${mark.lane})`));
  });
  return svg(`<svg width="${width}" height="${marks.length * row}" aria-hidden="true">${parts.join("")}</svg>`);
}

/** Builds the timeline; `findings` are the play's, `onproof(check)` shows the sentence of one. */
function buildTimeline(marks, findings, onproof) {
  const proofs = new Map();
  for (const finding of findings.filter((one) => failed(one.verdict))) {
    for (const position of finding.positions) {
      proofs.set(position, [...proofs.get(position) ?? [], finding]);
    }
  }
  const list = make("ol", { className: "marks", aria: { label: "history of the play" } });
  const content = make("section", { className: "content", aria: { live: "polite", label: "content of an entry" } });
  const line = make("div", { className: "line" },
    make("div", { className: "lanes", aria: { hidden: "true" } },
      ...data.lanes.map((name) => {
        const label = make("span", {}, name);
        label.style.color = `var(--${name})`;
        return label;
      }), make("em", {}, "in the order in which it happened")));
  const track = make("div", { className: "track" }, list);
  line.append(track, content);

  const items = marks.map((mark) => {
    const because = (proofs.get(mark.position) ?? []).map((finding) => make("button", {
      type: "button", className: finding.verdict, tabIndex: -1, title: finding.sentence,
      onclick: (event) => { event.stopPropagation(); onproof(finding); },
    }, promise(finding.name)));
    const proof = proofs.get(mark.position)?.[0].verdict ?? "";
    return make("li", {
      className: `mark ${mark.look} ${proof}`, tabIndex: -1, data: { position: mark.position },
      onmouseenter: () => show(mark), onfocus: () => show(mark),
    }, make("span", { className: "title" }, mark.title),
    because.length ? make("span", { className: "because" }, ...because) : null);
  });
  list.append(...items);

  function show(mark) {
    items.forEach((item, index) => {
      item.classList.toggle("shown", marks[index] === mark);
      item.classList.toggle("kin", Boolean(mark.span) && marks[index].span === mark.span && marks[index] !== mark);
    });
    const notes = make("dl");
    for (const [label, said] of mark.notes ?? []) {
      notes.append(make("dt", {}, label), make("dd", {}, make("pre", {}, said)));
    }
    const when = mark.time_s === undefined ? "" : `${mark.time_s.toFixed(3)} s`;
    content.replaceChildren(
      make("div", { className: "head" }, make("span", { className: "mono" }, String(mark.position)), make("span", {}, mark.title),
        make("span", { className: "when" }, when)),
      mark.notes?.length ? notes : make("p", { className: "nothing" }, "There is no more to it."));
    content.scrollTop = 0;
  }
  list.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const here = items.indexOf(event.target.closest(".mark"));
    const next = items[here + step];
    if (!step || !next) return;
    event.preventDefault();
    items[here].tabIndex = -1;
    next.tabIndex = 0;
    next.focus({ preventScroll: true });
    next.scrollIntoView({ block: "center" });
  });

  const firstProof = marks.find((mark) => proofs.has(mark.position)) ?? marks[0];
  if (firstProof) {
    items[marks.indexOf(firstProof)].tabIndex = 0;
    show(firstProof);
  }
  return {
    element: line,
    focus() {
      items.find((item) => item.tabIndex === 0)?.focus({ preventScroll: true });
    },
    /** Draws the lanes once their widths are known. */
    draw() {
      track.querySelector("svg")?.remove();
      const style = getComputedStyle(line);
      track.prepend(drawLanes(marks, parseFloat(style.getPropertyValue("--lane")),
        parseFloat(style.getPropertyValue("--row")), proofs));
    },
    light(positions) {
      items.forEach((item, index) =>
        item.classList.toggle("lit", positions.includes(marks[index].position)));
    },
    go(position) {
      const index = marks.findIndex((mark) => mark.position === position);
      if (index < 0) return;
      items.forEach((item) => { item.tabIndex = -1; });
      items[index].tabIndex = 0;
      items[index].focus({ preventScroll: true });
      items[index].scrollIntoView({ block: "center" });
    },
  };
}
