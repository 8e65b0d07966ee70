// The loop that everybody starts with: ask, run what is called, append, ask again. No dependencies.
import { execSync } from "node:child_process";
import bench from "../faultloop_driver.cjs";

const { OPENAI_BASE_URL, OPENAI_API_KEY } = process.env;
const headers = { "Content-Type": "application/json", Authorization: "Bearer " + OPENAI_API_KEY };

async function ask(body) {
  const request = { method: "POST", headers, body: JSON.stringify(body) };
  const answer = await fetch(OPENAI_BASE_URL + "/chat/completions", request);
  if (!answer.ok) throw new Error(`HTTP ${answer.status} ${await answer.text()}`);
  return body.stream ? joined(await answer.text()) : (await answer.json()).choices[0].message;
}

function joined(stream) {
  const message = { role: "assistant", content: "" };
  for (const line of stream.split("\n")) {
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

bench.run(async () => {
  const manifest = await bench.manifest();
  const isOwn = (tool) => tool.annotations?.["faultloop/runs"] === "subject";
  const own = manifest.filter(isOwn).map((tool) => tool.name);
  const described = ({ name, description, parameters }) => ({ name, description, parameters });
  const tools = manifest.map((tool) => ({ type: "function", function: described(tool) }));
  const messages = [{ role: "user", content: bench.setting("INPUT") }];
  const model = bench.setting("MODEL");
  for (;;) {
    const message = await ask({ model, messages, tools, stream: bench.streaming() });
    messages.push(message);
    if (!message.tool_calls) return message.content;
    for (const { id, function: { name, arguments: text } } of message.tool_calls) {
      const args = JSON.parse(text);
      const content = own.includes(name)
        ? execSync(args.command, { encoding: "utf8" })
        : await bench.callTool(name, args);
      messages.push({ role: "tool", tool_call_id: id, content });
    }
  }
});
