// A comparison of wordings: the flips, which are filtered here and drawn a few at a time.

const data = JSON.parse(document.getElementById("data").textContent);
const byId = (id) => document.getElementById(id);
const AT_ONCE = 20;

/** An element; text of tasks and models only ever enters as text nodes. */
function make(tag, properties = {}, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

const flips = data.flips.map((flip) => {
  const task = Object.hasOwn(data.tasks, flip.task) ? data.tasks[flip.task] : { prompt: flip.task, before: [], tags: [], expected: flip.expected };
  const words = [flip.task, task.prompt, task.expected, flip.base.answered, flip.other.answered,
    flip.base.chosen, flip.other.chosen].join("\n").toLowerCase();
  return { ...flip, told: task, words };
});
const percent = (rate) => `${Math.round(rate * 100)} %`;
const verdict = (rate) => rate === 1 ? "right" : rate === 0 ? "wrong" : `right in ${percent(rate)} of askings`;

/** One wording's part of a flip. */
function side(name, one, isWorse) {
  return make("div", { className: `side ${isWorse ? "worse" : "better"}` },
    make("h4", {}, `${isWorse ? "✗" : "✓"} ${name} `, make("small", {}, verdict(one.rate))),
    make("p", { className: "chose" }, "chose ", make("code", {}, one.chosen)),
    one.answered ? make("pre", {}, one.answered) : null,
    one.says.length ? make("ul", {}, ...one.says.map((said) => make("li", {}, said))) : null);
}

function diff(tool, parts) {
  return make("div", { className: "diff" }, make("h5", { className: "mono" }, tool),
    make("dl", {}, ...parts.flatMap(([part, pieces]) => [make("dt", {}, part),
      make("dd", {}, ...pieces.map(([sign, text]) =>
        sign === "=" ? text : make(sign === "-" ? "del" : "ins", {}, text)))])));
}

/** The wordings' diff of the tools involved, made when it is opened. */
function differing(flip) {
  const known = data.diffs[flip.candidate] ?? {};
  const tools = flip.tools.filter((tool) => known[tool]?.length);
  if (!tools.length) {
    return make("p", { className: "fine" }, flip.tools.length
      ? `Both wordings say the same of ${flip.tools.join(" and ")}; what they say of other tools made the difference.`
      : "No tool of the wordings is involved.");
  }
  const details = make("details", { className: "differing" },
    make("summary", {}, "What the wordings say of ", ...tools.flatMap((tool, place) =>
      [place ? ", " : "", make("code", {}, tool)])));
  details.addEventListener("toggle", () => {
    if (details.children.length === 1) details.append(...tools.map((tool) => diff(tool, known[tool])));
  });
  return details;
}

function story(flip) {
  const task = flip.told;
  return make("li", { className: flip.gained ? "gained" : "lost" },
    make("p", { className: "way" }, make("b", {}, flip.gained ? "▲ gained" : "▼ lost"), " ",
      make("span", { className: "mono" }, flip.task), " ",
      ...task.tags.map((tag) => make("span", { className: "tag" }, tag))),
    ...task.before.map((said) => make("p", { className: "before" }, make("b", {}, `${said.role}: `), said.text)),
    make("blockquote", { lang: task.language ?? "" }, task.prompt),
    make("p", { className: "wanted" }, "expected ", make("code", {}, task.expected)),
    make("div", { className: "sides" }, side(data.base, flip.base, flip.gained),
      side(flip.candidate, flip.other, !flip.gained)),
    differing(flip));
}

function option(value) { return make("option", { value }, value); }
const distinct = (values) => [...new Set(values)].sort();
if (byId("by-candidate")) {
  byId("by-candidate").append(...data.candidates.map(option));
  byId("by-candidate").value = data.first;
}
byId("by-tool").append(...distinct(flips.flatMap((flip) => [...flip.tools, flip.expected.startsWith("(") ? flip.expected : null])
  .filter((tool) => tool)).map(option));
byId("by-tag").append(...distinct(flips.flatMap((flip) => flip.told.tags)).map(option));

let fitting = [];
let drawn = 0;

function drawMore() {
  const next = fitting.slice(drawn, drawn + AT_ONCE);
  byId("flips").append(...next.map(story));
  drawn += next.length;
  byId("more").hidden = drawn >= fitting.length;
  byId("more").textContent = `show ${Math.min(AT_ONCE, fitting.length - drawn)} more of ${fitting.length}`;
}

function draw() {
  const candidate = byId("by-candidate")?.value ?? data.first;
  const way = byId("by-way").value, tool = byId("by-tool").value, tag = byId("by-tag").value;
  const wanted = byId("find").value.trim().toLowerCase();
  const fits = (flip) => flip.candidate === candidate
    && (!way || flip.gained === (way === "gained"))
    && (!tool || flip.tools.includes(tool) || flip.expected === tool)
    && (!tag || flip.told.tags.includes(tag)) && flip.words.includes(wanted);
  fitting = flips.filter(fits);
  drawn = 0;
  byId("flips").replaceChildren();
  drawMore();
  const counts = data.counts[candidate];
  const all = (way === "gained" ? 0 : counts.lost) + (way === "lost" ? 0 : counts.gained);
  const held = flips.filter((flip) => flip.candidate === candidate && (!way || flip.gained === (way === "gained"))).length;
  byId("shown").textContent = `${fitting.length} of ${all}${held < all ? `; this page holds ${held}` : ""}`;
  byId("none").hidden = fitting.length > 0;
  byId("none").textContent = all ? "No task fits these filters." : `No task was ${way || "lost or gained"}.`;
}

for (const id of ["by-candidate", "by-way", "by-tool", "by-tag"]) byId(id)?.addEventListener("change", draw);
byId("find").addEventListener("input", draw);
byId("filters").addEventListener("submit", (event) => event.preventDefault());
byId("more").addEventListener("click", drawMore);
const counted = data.counts[data.first];
if (!counted.lost && counted.gained) byId("by-way").value = "gained";
draw();

byId("copy")?.addEventListener("click", async () => {
  const code = byId("copy").previousElementSibling;
  try {
    await navigator.clipboard.writeText(code.textContent);
    byId("copy").textContent = "copied";
  } catch {
    window.getSelection().selectAllChildren(code);
  }
});

const dark = window.matchMedia("(prefers-color-scheme: dark)");
const root = document.documentElement;
root.dataset.theme = dark.matches ? "dark" : "light";
dark.addEventListener("change", () => { root.dataset.theme = dark.matches ? "dark" : "light"; });
byId("theme").addEventListener("click", () => {
  root.dataset.theme = root.dataset.theme === "dark" ? "light" : "dark";
});
