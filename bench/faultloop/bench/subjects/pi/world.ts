// The world as an extension of pi: the fake as a provider of models, the world's tools as its tools.
const { env } = process;
const APIS = {
  openai_chat: ["openai-completions", env.OPENAI_BASE_URL],
  openai_responses: ["openai-responses", env.OPENAI_BASE_URL],
  anthropic_messages: ["anthropic-messages", env.ANTHROPIC_BASE_URL],
  gemini: ["google-generative-ai", env.GOOGLE_GEMINI_BASE_URL + "/v1beta"],
};

export default async function (pi: any) {
  const [api, baseUrl] = APIS[env.FAULTLOOP_DIALECT];
  const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
  const model = { id: env.FAULTLOOP_MODEL, name: "fake", reasoning: false, input: ["text"], cost, contextWindow: 128000, maxTokens: 16384 };
  pi.registerProvider("faultloop", { baseUrl, api, apiKey: env.OPENAI_API_KEY, models: [model] });
  const { createBashTool } = await import(env.PI_PACKAGE);
  for (const { name, description, parameters, annotations } of await (await fetch(env.FAULTLOOP_TOOLS_URL)).json()) {
    const executionMode = annotations["faultloop/concurrencySafe"] ? "parallel" : "sequential";
    const about = { name, label: name, description, parameters, executionMode };
    if (annotations["faultloop/runs"] === "subject") pi.registerTool({ ...createBashTool(process.cwd()), ...about });
    else pi.registerTool({ ...about, execute: (id, args, signal) => call(name, id, args, signal) });
  }
}

async function call(name: string, id: string, args: unknown, signal?: AbortSignal) {
  const headers = { "Content-Type": "application/json", "X-Call-Id": encodeURIComponent(id) };
  const answer = await fetch(`${env.FAULTLOOP_TOOLS_URL}/${name}`, { method: "POST", headers, body: JSON.stringify(args), signal });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`HTTP ${answer.status}: ${text}`);
  return { content: [{ type: "text", text }], details: {} };
}
