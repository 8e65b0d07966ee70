// The loop of the AI SDK (generateText, streamText); the conversation is kept as model messages.
const { existsSync, readFileSync, writeFileSync } = require("node:fs");
const { createOpenAICompatible } = require("@ai-sdk/openai-compatible");
const ai = require("ai");
const bench = require("../faultloop_driver.cjs");

const ENDS = { stop: "completed", length: "max_tokens", "content-filter": "blocked" };
const maxSteps = Number(bench.setting("MAX_STEPS"));
const cancelled = new AbortController();
process.once("SIGINT", () => cancelled.abort());

function tool({ name, description, parameters }) {
  const execute = (args, { toolCallId, abortSignal }) =>
    bench.callTool(name, args, { callId: toolCallId, signal: abortSignal });
  const inputSchema = ai.jsonSchema(parameters); // it was called parameters before version 5
  return [name, ai.tool({ description, inputSchema, parameters: inputSchema, execute })];
}

async function opened() {
  const { OPENAI_BASE_URL: baseURL, OPENAI_API_KEY: apiKey } = process.env;
  const provider = createOpenAICompatible({ name: "provider", baseURL, apiKey });
  const model = provider(bench.setting("MODEL"));
  const tools = Object.fromEntries((await bench.manifest()).map(tool));
  const file = `${bench.setting("STATE_DIR")}/messages.json`;
  const messages = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : [];
  messages.push({ role: "user", content: bench.setting("INPUT") });
  const keep = (more) => writeFileSync(file, JSON.stringify([...messages, ...more]));
  keep([]);
  const stopWhen = ai.stepCountIs?.(maxSteps); // before version 5 it was maxSteps
  const loop = { model, tools, stopWhen, onStepFinish: ({ response }) => keep(response.messages) };
  return { loop, ask: { messages, abortSignal: cancelled.signal } };
}

async function main() {
  const { loop, ask } = await opened();
  const reply = bench.streaming() ? ai.streamText : ai.generateText;
  const result = await reply({ ...loop, ...ask, maxSteps });
  for await (const part of result.fullStream ?? []) if (part.type === "error") throw part.error;
  cancelled.signal.throwIfAborted();
  const reason = await result.finishReason;
  const stopped = reason === "tool-calls" && (await result.steps).length >= maxSteps;
  const end = stopped ? "max_steps" : (ENDS[reason] ?? "error");
  return { end_reason: end, finish_reason: reason, final_text: await result.text };
}

module.exports = { ENDS, cancelled, maxSteps, opened };
if (require.main === module) bench.run(main, cancelled.signal);
