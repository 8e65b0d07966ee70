// Subject contract v1 for drivers in Node.js: one file, no dependencies; copy it freely.
//
//     const bench = require("./faultloop_driver.cjs");
//     bench.run(async () => myLoop(bench.setting("INPUT"), await bench.manifest()));
//
// Nothing here is required: environment in, one line `@faultloop {json}` out is the whole contract.

/** `setting("INPUT")` is the environment's FAULTLOOP_INPUT. */
const setting = (name) => process.env["FAULTLOOP_" + name];

/** Whether replies are to be streamed. */
const streaming = () => setting("STREAM") === "1";

/** The tools that are offered: name, description, parameters, annotations. */
const manifest = async () => (await fetch(setting("TOOLS_URL"))).json();

/** Call a tool over HTTP and return its answer's body, which goes to the model as it is.
 *  Throws for anything but a 200, as a tool that is a function would throw. */
async function callTool(name, args, { callId = "", signal } = {}) {
  const headers = { "Content-Type": "application/json" };
  if (callId) headers["X-Call-Id"] = encodeURIComponent(callId);
  const request = { method: "POST", headers, body: JSON.stringify(args), signal };
  const answer = await fetch(`${setting("TOOLS_URL")}/${name}`, request);
  if (!answer.ok) throw new Error(`HTTP ${answer.status}: ${await answer.text()}`);
  return answer.text();
}

/** Run `main` once, write its result line, and exit: 0 only for completed. `main` gives the final
 *  text or an object of the line's fields. What it throws after `cancelled` has aborted is aborted. */
function run(main, cancelled) {
  const failed = (error) => {
    console.error(error);
    return { end_reason: cancelled?.aborted ? "aborted" : "error", error: String(error) };
  };
  const said = (result) =>
    result instanceof Object ? result : { end_reason: "completed", final_text: result };
  main().then(said).catch(failed).then((line) => {
    console.log("\n@faultloop " + JSON.stringify({ v: 1, turn: 0, ...line }));
    process.exitCode = line.end_reason === "completed" ? 0 : 1;
  });
}

module.exports = { setting, streaming, manifest, callTool, run };
