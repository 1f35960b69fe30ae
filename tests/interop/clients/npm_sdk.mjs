// npm's @modelcontextprotocol/sdk 1.x: 2025-11-25 with its tasks.
//
// npm_sdk.mjs http URL | stdio PROGRAM
import { deepEqual, rejects } from "node:assert/strict";
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { CallToolResultSchema, CreateTaskResultSchema, ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";

/** The feature has no place on this transport; the message says why. */
class NothingToTry extends Error {}

const [transport, where] = parseArgs({ allowPositionals: true }).positionals;

const answers = [];
const asked = [];
/** Until when the user thinks about the answer. */
let thought = Promise.resolve();

/** A client that is connected; `fetch` is how it reaches an HTTP server. */
async function connect(fetch) {
  const client = new Client({ name: "interop", version: "0" }, { capabilities: { elicitation: { form: {} } } });
  client.setRequestHandler(ElicitRequestSchema, async ({ params }) => {
    asked.push(params.message);
    await thought;
    return answers.shift();
  });
  const http = () => new StreamableHTTPClientTransport(new URL(where), { fetch });
  const stdio = () => new StdioClientTransport({ command: where });
  await client.connect(transport === "http" ? http() : stdio());
  return client;
}

const client = await connect();
const tasks = client.experimental.tasks;

const text = (result) => result.content[0].text;
const call = (name, args, options) => client.callTool({ name, arguments: args }, undefined, options);
const accept = (content) => ({ action: "accept", content });

/** Starts a task and returns its id, with nothing of the client's own to follow it. */
async function start(name, args) {
  const params = { name, arguments: args };
  const options = { task: { ttl: 60_000 } };
  const created = await client.request({ method: "tools/call", params }, CreateTaskResultSchema, options);
  deepEqual(created.task.status, "working");
  return created.task.taskId;
}

/** Calls a task tool the client's way, which asks for a task by itself, and returns what the client tells meanwhile. */
async function stream(name, args, options, seen = () => {}, through = client) {
  const messages = [];
  const params = { name, arguments: args };
  for await (const message of through.experimental.tasks.callToolStream(params, undefined, options)) {
    messages.push(message);
    await seen(message);
  }
  return messages;
}

const kinds = (messages) => messages.map(({ type, task }) => (type === "taskStatus" ? task.status : type));

/** Streams a task whose question is answered once the client has read that there is one. */
async function answered(answer, name, args, through) {
  const { promise, resolve } = Promise.withResolvers();
  thought = promise;
  asked.length = 0;
  answers.push(answer);
  const seen = ({ task }) => task?.status === "input_required" && resolve();
  const messages = await stream(name, args, { task: {} }, seen, through);
  deepEqual(asked.length, 1);
  return text(messages.at(-1).result);
}

let build;
const checks = {
  async connect() {
    deepEqual(client.getServerVersion().name, "interop-server");
    const { requests, cancel } = client.getServerCapabilities().tasks;
    deepEqual([requests, cancel], [{ tools: { call: {} } }, {}]);
  },

  async list_tools() {
    const { tools } = await client.listTools();
    const support = (name) => tools.find((tool) => tool.name === name).execution?.taskSupport;
    deepEqual([support("greet"), support("deploy")], [undefined, "optional"]);
  },

  async plain_result() {
    deepEqual(text(await call("greet", { name: "Ada" })), "Hello, Ada!");
  },

  async structured_result() {
    const result = await call("statistics", { numbers: [1, 2.5] });
    deepEqual(result.structuredContent, { count: 2, sum: 3.5 });
  },

  async error_result() {
    const result = await call("divide", { dividend: 1, divisor: 0 });
    deepEqual([result.isError, text(result)], [true, "division by zero"]);
  },

  async call_progress() {
    const progress = [];
    let approved;
    const onprogress = (now) => {
      progress.push(now);
      approved ??= call("approve", { target: "inline" });
    };
    deepEqual(text(await call("build", { target: "inline" }, { onprogress })), "built inline");
    await approved;
    deepEqual(progress[0], { progress: 1, total: 2, message: "waiting for approval" });
    return "A notification that arrives together with the response is lost: the SDK forgets the token first.";
  },

  async call_question() {
    answers.push(accept({ confirm: true }));
    deepEqual(text(await call("deploy", { env: "test" })), "deployed to test");
  },

  async call_cancel() {
    const controller = new AbortController();
    const options = { signal: controller.signal, onprogress: () => controller.abort() };
    await rejects(call("build", { target: "given up" }, options));
    deepEqual(text(await call("ended", { target: "given up" })), "the build of given up has ended");
  },

  async task_create() {
    build = await start("build", { target: "task" });
  },

  async task_poll() {
    const first = await tasks.getTask(build);
    deepEqual(first.status, "working");
    await call("approve", { target: "task" });
    let polled;
    do {
      await new Promise((later) => setTimeout(later, first.pollInterval));
      polled = await tasks.getTask(build);
    } while (polled.status === "working");
    deepEqual(polled.status, "completed");
  },

  async task_result() {
    deepEqual(text(await tasks.getTaskResult(build, CallToolResultSchema)), "built task");
  },

  async task_progress() {
    const progress = [];
    let approved;
    const linking = Promise.withResolvers();
    const onprogress = ({ message }) => {
      progress.push(message);
      approved ??= call("approve", { target: "told" });
      if (message === "linking") linking.resolve();
    };
    const messages = await stream("build", { target: "told" }, { onprogress });
    deepEqual(text(messages.at(-1).result), "built told");
    // Over HTTP it may have come on another stream than the result.
    await Promise.all([approved, linking.promise]);
    deepEqual(progress, ["waiting for approval", "linking"]);
  },

  async task_question() {
    deepEqual(await answered(accept({ confirm: true }), "deploy", { env: "prod" }), "deployed to prod");
    deepEqual(asked, ["Deploy to prod?"]);
  },

  async task_form() {
    const booking = { name: "Ada", guests: 4, area: "Hall", high_chair: true };
    const result = await answered(accept(booking), "book_table", { day: "2026-07-28" });
    deepEqual(result, "2026-07-28: Ada, 4 in Hall, high chair");
  },

  async task_question_on_result() {
    if (transport === "stdio") throw new NothingToTry("Over stdio there is one stream for everything.");
    const noGet = (url, init) => (init.method === "GET" ? new Response(null, { status: 405 }) : fetch(url, init));
    const other = await connect(noGet);
    deepEqual(await answered(accept({ confirm: true }), "deploy", { env: "prod" }, other), "deployed to prod");
    await other.close();
  },

  async task_decline() {
    deepEqual(await answered({ action: "decline" }, "deploy", { env: "prod" }), "not deployed to prod");
  },

  async task_cancel() {
    // A function that is cancelled before it runs never does.
    const messages = await stream("build", { target: "cancelled" }, undefined, async ({ type, task }) => {
      if (type === "taskStatus" && task.statusMessage === "waiting for approval (50%)") {
        deepEqual((await tasks.cancelTask(task.taskId)).status, "cancelled");
      }
    });
    deepEqual(kinds(messages).slice(-2), ["cancelled", "error"]);
    deepEqual(text(await call("ended", { target: "cancelled" })), "the build of cancelled has ended");
  },

  async task_error_result() {
    const messages = await stream("import", { file: "a.csv" });
    deepEqual(kinds(messages).slice(-2), ["failed", "error"]);
    const result = await tasks.getTaskResult(messages[0].task.taskId, CallToolResultSchema);
    deepEqual([result.isError, text(result)], [true, "no such file: a.csv"]);
    return "`callToolStream` ends with an error of its own and fetches no result; `getTaskResult` does.";
  },

  async task_failure() {
    const messages = await stream("migrate", {});
    deepEqual(kinds(messages).slice(-2), ["failed", "error"]);
    const failed = tasks.getTaskResult(messages[0].task.taskId, CallToolResultSchema);
    await rejects(failed, { code: -32603, message: /the migration broke off/ });
    return "`callToolStream` ends with an error of its own; `getTaskResult` throws the server's.";
  },

  async task_list() {
    if (client.getServerCapabilities().tasks.list === undefined) {
      throw new NothingToTry("The server lists tasks only to callers that it knows; over HTTP this one is anonymous.");
    }
    const listed = await tasks.listTasks();
    deepEqual(listed.tasks.some((task) => task.taskId === build), true);
  },

  async plain_tool_as_task() {
    await rejects(start("greet", { name: "Ada" }), { code: -32601 });
    deepEqual(kinds(await stream("greet", { name: "Ada" })), ["result"]);
  },
};

/** Fails a check that does not end. */
function inTime(check) {
  const late = Promise.withResolvers();
  const timer = setTimeout(late.reject, 60_000, new Error("took more than a minute"));
  return Promise.race([check, late.promise]).finally(() => clearTimeout(timer));
}

const tell = (line) => console.log(JSON.stringify(line));
const manifest = new URL("../node_modules/@modelcontextprotocol/sdk/package.json", import.meta.url);
const { name, version } = JSON.parse(readFileSync(manifest, "utf8"));

tell({ peer: `npm \`${name}\``, version, transport, wire: "2025-11-25" });
for (const [feature, check] of Object.entries(checks)) {
  thought = Promise.resolve();
  try {
    tell({ feature, outcome: "yes", note: await inTime(check()) });
  } catch (error) {
    if (error instanceof NothingToTry) {
      tell({ feature, outcome: "nothing to try", note: error.message });
    } else {
      console.error(error);
      tell({ feature, outcome: "failed", note: String(error) });
    }
  }
}
await client.close();
