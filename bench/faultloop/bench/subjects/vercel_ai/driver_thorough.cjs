// The same tools and model as a ToolLoopAgent; how each step and the stream ended is read.
const ai = require("ai");
const bench = require("../faultloop_driver.cjs");
const { ENDS, cancelled, maxSteps, opened } = require("./driver.cjs");

async function main() {
  const { loop, ask } = await opened();
  const agent = new (ai.ToolLoopAgent ?? ai.Experimental_Agent)(loop);
  const result = bench.streaming() ? await agent.stream(ask) : await agent.generate(ask);
  for await (const part of result.fullStream ?? []) {
    if (part.type === "error") throw part.error;
    if (part.type === "abort") return { end_reason: "aborted" };
  }
  const steps = await result.steps;
  const { finishReason: reason, rawFinishReason: raw, text } = steps.at(-1);
  const stopped = reason === "tool-calls" && steps.length >= maxSteps;
  const end = stopped ? "max_steps" : (ENDS[reason] ?? "error");
  return { end_reason: end, finish_reason: raw ?? reason, final_text: text };
}

bench.run(main, cancelled.signal);
