// The tools that the client is tried with, on npm's @modelcontextprotocol/sdk 1.x: 2025-11-25 with its tasks.
//
// npm_sdk.mjs: over HTTP on the port that `PORT` names, else over stdio.
import { randomUUID } from "node:crypto";
import { InMemoryTaskMessageQueue, InMemoryTaskStore } from "@modelcontextprotocol/sdk/experimental/tasks";
import { createMcpExpressApp } from "@modelcontextprotocol/sdk/server/express.js";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { ElicitResultSchema } from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";

const waiting = "waiting for approval";
const text = (text) => ({ content: [{ type: "text", text }] });
const failure = (message) => ({ ...text(message), isError: true });

/** What one call pins up for another to find: a promise by its name. */
const notes = new Map();
function note(name) {
  if (!notes.has(name)) notes.set(name, Promise.withResolvers());
  return notes.get(name);
}

/** Stops the function of a task that is cancelled, of which the SDK tells its store alone. */
class Tasks extends InMemoryTaskStore {
  running = new Map();

  async updateTaskStatus(id, status, ...more) {
    await super.updateTaskStatus(id, status, ...more);
    if (status === "cancelled") this.running.get(id)?.abort();
  }
}

const tasks = new Tasks();
const messages = new InMemoryTaskMessageQueue();

/** Builds, once it is approved, unless it is stopped before. */
async function build(target, signal) {
  const stopped = new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
  try {
    await Promise.race([note(`approved ${target}`).promise, stopped]);
    return text(`built ${target}`);
  } finally {
    note(`ended ${target}`).resolve();
  }
}

/** Deploys, if `ask` has the user agree. */
async function deploy(env, ask) {
  const properties = { confirm: { type: "boolean" } };
  const requestedSchema = { type: "object", properties, required: ["confirm"] };
  const params = { mode: "form", message: `Deploy to ${env}?`, requestedSchema };
  const { action, content } = await ask({ method: "elicitation/create", params });
  return text(action === "accept" && content.confirm ? `deployed to ${env}` : `not deployed to ${env}`);
}

/** What the functions of tasks are: `work` is given the task, and answers with its result. */
function asTask(work) {
  return {
    async createTask(args, extra) {
      const task = await extra.taskStore.createTask({ ttl: extra.taskRequestedTtl, pollInterval: 50 });
      const stop = new AbortController();
      tasks.running.set(task.taskId, stop);
      work(args, { id: task.taskId, signal: stop.signal, extra })
        .then(
          (result) => extra.taskStore.storeTaskResult(task.taskId, result.isError ? "failed" : "completed", result),
          (error) => extra.taskStore.storeTaskResult(task.taskId, "failed", failure(error.message)),
        )
        // A task that was cancelled takes no result.
        .catch(() => {})
        .finally(() => tasks.running.delete(task.taskId));
      return { task };
    },
    getTask: (_args, extra) => extra.taskStore.getTask(extra.taskId),
    getTaskResult: (_args, extra) => extra.taskStore.getTaskResult(extra.taskId),
  };
}

function interop() {
  const capabilities = { tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } };
  const options = { capabilities, taskStore: tasks, taskMessageQueue: messages };
  const server = new McpServer({ name: "interop-peer", version: "0" }, options);
  const tool = (name, inputSchema, run) => server.registerTool(name, { inputSchema }, run);
  const taskTool = (name, inputSchema, work) => {
    const config = { inputSchema, execution: { taskSupport: "optional" } };
    server.experimental.tasks.registerToolTask(name, config, asTask(work));
  };
  const target = z.string();

  tool("greet", { name: z.string() }, ({ name }) => text(`Hello, ${name}!`));
  tool("divide", { dividend: z.number(), divisor: z.number() }, ({ dividend, divisor }) =>
    divisor === 0 ? failure("division by zero") : text(`${dividend / divisor}`),
  );
  tool("approve", { target }, ({ target }) => {
    note(`approved ${target}`).resolve();
    return text("approved");
  });
  tool("ended", { target }, async ({ target }) => {
    await note(`ended ${target}`).promise;
    return text(`the build of ${target} has ended`);
  });
  tool("build_now", { target }, async ({ target }, { _meta, sendNotification, signal }) => {
    const { progressToken } = _meta ?? {};
    if (progressToken !== undefined) {
      const params = { progressToken, progress: 1, total: 2, message: waiting };
      await sendNotification({ method: "notifications/progress", params });
    }
    return build(target, signal);
  });
  tool("deploy_now", { env: z.string() }, ({ env }, { sendRequest }) =>
    deploy(env, (question) => sendRequest(question, ElicitResultSchema)),
  );

  taskTool("build", { target }, async ({ target }, { id, signal, extra }) => {
    await extra.taskStore.updateTaskStatus(id, "working", waiting);
    return build(target, signal);
  });
  taskTool("deploy", { env: z.string() }, ({ env }, { id, extra }) =>
    deploy(env, async (question) => {
      const answer = await extra.sendRequest(question, ElicitResultSchema, { relatedTask: { taskId: id } });
      await extra.taskStore.updateTaskStatus(id, "working");
      return answer;
    }),
  );
  taskTool("import_file", { file: z.string() }, async ({ file }) => failure(`no such file: ${file}`));
  taskTool("migrate", {}, async () => {
    throw new Error("the migration broke off");
  });
  return server;
}

/** Serves each session by a server of its own, as the SDK has it. */
function serveHttp(port) {
  const sessions = new Map();
  const app = createMcpExpressApp();
  app.all("/mcp", async (request, response) => {
    let session = sessions.get(request.headers["mcp-session-id"]);
    if (session === undefined) {
      session = new StreamableHTTPServerTransport({
        sessionIdGenerator: randomUUID,
        onsessioninitialized: (id) => sessions.set(id, session),
        onsessionclosed: (id) => sessions.delete(id),
      });
      await interop().connect(session);
    }
    await session.handleRequest(request, response, request.body);
  });
  app.listen(port, "127.0.0.1");
}

if (process.env.PORT) {
  serveHttp(Number(process.env.PORT));
} else {
  await interop().connect(new StdioServerTransport());
  // The SDK leaves the timer of a task's answered question running, which would keep the process alive.
  process.stdin.on("end", () => process.exit());
}
