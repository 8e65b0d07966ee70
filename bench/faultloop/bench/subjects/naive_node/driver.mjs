// The loop that everybody starts with: ask, run what is called, append, ask again. No dependencies.
import { execSync } from "node:child_process";

const setting = (name) => process.env["FAULTLOOP_" + name];
const emit = (line) => console.log("\n@faultloop " + JSON.stringify({ v: 1, turn: 0, ...line }));
const headers = { "Content-Type": "application/json", Authorization: "Bearer " + process.env.OPENAI_API_KEY };

async function post(url, body) {
  const answer = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`HTTP ${answer.status} ${await answer.text()}`);
  return answer;
}

async function streamed(answer) {
  const message = { role: "assistant", content: "" };
  for (const line of (await answer.text()).split("\n")) {
    if (!line.startsWith("data: {")) continue;
    for (const { delta } of JSON.parse(line.slice(6)).choices) {
      message.content += delta.content ?? "";
      for (const { index, ...piece } of delta.tool_calls ?? []) {
        message.tool_calls ??= [];
        if (piece.id) message.tool_calls[index] = piece;
        else message.tool_calls[index].function.arguments += piece.function.arguments;
      }
    }
  }
  return message;
}

async function main() {
  const manifest = await (await fetch(setting("TOOLS_URL"))).json();
  const own = manifest.filter((tool) => tool.annotations?.["faultloop/runs"] === "subject").map((tool) => tool.name);
  const tools = manifest.map(({ name, description, parameters }) => ({ type: "function", function: { name, description, parameters } }));
  const messages = [{ role: "user", content: setting("INPUT") }], stream = setting("STREAM") === "1";
  for (;;) {
    const answer = await post(process.env.OPENAI_BASE_URL + "/chat/completions", { model: setting("MODEL"), messages, tools, stream });
    const message = stream ? await streamed(answer) : (await answer.json()).choices[0].message;
    messages.push(message);
    if (!message.tool_calls) return message.content;
    for (const { id, function: { name, arguments: text } } of message.tool_calls) {
      const args = JSON.parse(text);
      const content = own.includes(name)
        ? execSync(args.command, { encoding: "utf8" })
        : await (await post(`${setting("TOOLS_URL")}/${name}`, args)).text();
      messages.push({ role: "tool", tool_call_id: id, content });
    }
  }
}

try {
  emit({ end_reason: "completed", final_text: await main() });
} catch (error) {
  emit({ end_reason: "error", error: String(error) });
  process.exitCode = 1;
}
