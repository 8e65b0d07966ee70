// The loop of the AI SDK (generateText, streamText); the conversation is kept as model messages.
const { existsSync, readFileSync, writeFileSync } = require("node:fs");
const { createOpenAICompatible } = require("@ai-sdk/openai-compatible");
const ai = require("ai");

const setting = (name) => process.env["FAULTLOOP_" + name];
const ENDS = { stop: "completed", length: "max_tokens", "content-filter": "blocked" };
const cancelled = new AbortController();
process.once("SIGINT", () => cancelled.abort());

async function call(name, args, { toolCallId, abortSignal }) {
  const headers = { "Content-Type": "application/json", "X-Call-Id": encodeURIComponent(toolCallId) };
  const answer = await fetch(`${setting("TOOLS_URL")}/${name}`, { method: "POST", headers, body: JSON.stringify(args), signal: abortSignal });
  if (!answer.ok) throw new Error(`HTTP ${answer.status}: ${await answer.text()}`);
  return answer.text();
}

function tool({ name, description, parameters }) {
  const schema = ai.jsonSchema(parameters); // inputSchema was called parameters before version 5
  return [name, ai.tool({ description, inputSchema: schema, parameters: schema, execute: (args, about) => call(name, args, about) })];
}

async function main() {
  const manifest = await (await fetch(setting("TOOLS_URL"))).json();
  const { OPENAI_BASE_URL: baseURL, OPENAI_API_KEY: apiKey } = process.env;
  const model = createOpenAICompatible({ name: "provider", baseURL, apiKey })(setting("MODEL"));
  const kept = `${setting("STATE_DIR")}/messages.json`, keep = (messages) => writeFileSync(kept, JSON.stringify(messages));
  const messages = existsSync(kept) ? JSON.parse(readFileSync(kept, "utf8")) : [];
  messages.push({ role: "user", content: setting("INPUT") });
  keep(messages);
  const maxSteps = Number(setting("MAX_STEPS")), ask = setting("STREAM") === "1" ? ai.streamText : ai.generateText;
  const result = await ask({
    model, messages, tools: Object.fromEntries(manifest.map(tool)), abortSignal: cancelled.signal,
    stopWhen: ai.stepCountIs?.(maxSteps), maxSteps, // maxSteps was the way before version 5
    onStepFinish: ({ response }) => keep([...messages, ...response.messages]),
  });
  for await (const part of result.fullStream ?? []) if (part.type === "error") throw part.error;
  cancelled.signal.throwIfAborted();
  const reason = await result.finishReason, stopped = reason === "tool-calls" && (await result.steps).length >= maxSteps;
  return { end_reason: stopped ? "max_steps" : (ENDS[reason] ?? "error"), finish_reason: reason, final_text: await result.text };
}

main()
  .catch((error) => ({ end_reason: cancelled.signal.aborted ? "aborted" : "error", error: String(error) }))
  .then((line) => {
    console.log("\n@faultloop " + JSON.stringify({ v: 1, turn: 0, ...line }));
    process.exitCode = line.end_reason === "completed" ? 0 : 1;
  });
