// table.mjs RESULTS PAGE [--write]: one line on each run of a client, whose lines are in RESULTS, and the page that
// tells of all runs. Exits with 1 if a feature failed or was not tried, or if PAGE says something else; --write
// writes it.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const features = {
  connect: "agrees on the revision and reads what the server offers",
  list_tools: "lists the tools",
  plain_result: "a text as result",
  structured_result: "structured content, checked against the tool's output schema",
  error_result: "a result with `isError`",
  call_progress: "progress of a call without a task",
  call_question: "a question in a call without a task",
  call_cancel: "gives up a call without a task, and the function stops",
  task_create: "starts a task",
  task_poll: "polls it from `working` to `completed`",
  task_result: "fetches its result",
  task_progress: "sees its progress",
  task_question: "answers its question",
  task_question_on_result: "gets the question on the stream of `tasks/result`, without another stream",
  task_form: "fills in a form of text, number, choice and box",
  task_decline: "declines",
  task_cancel: "cancels a task, and the function stops",
  task_error_result: "a task that ends in `Err(error)`",
  task_failure: "a task that ends in a protocol error",
  task_list: "lists its tasks",
  plain_tool_as_task: "a tool without tasks: refused as a task where tasks are asked for, else its result",
};

const [results, page, write] = process.argv.slice(2);

/** One run: the line about the client, and the line about each feature by its name. */
function read(file) {
  const lines = readFileSync(join(results, file), "utf8").split("\n").filter((line) => line !== "");
  const [client, ...outcomes] = lines.map((line) => JSON.parse(line));
  return { file, client, outcomes: new Map(outcomes.map((line) => [line.feature, line])) };
}

function summary({ file, client, outcomes }) {
  const count = { yes: 0, no: 0, "nothing to try": 0, failed: 0, missing: 0 };
  const bad = [];
  for (const name of new Set([...Object.keys(features), ...outcomes.keys()])) {
    const { outcome, note } = features[name] ? (outcomes.get(name) ?? { outcome: "missing" }) : { outcome: "unknown" };
    count[outcome] += 1;
    if (!["yes", "no", "nothing to try"].includes(outcome)) bad.push(`  ${name}: ${outcome} ${note ?? ""}`);
  }
  const words = client && [`${client.client.replaceAll("`", "")} ${client.version}`, client.transport, client.wire];
  console.log(
    `interop ${words?.join(", ") ?? file}: ${count.yes} of ${Object.keys(features).length} features work, ${count.no} the client lacks, ` +
      `${count["nothing to try"]} without a place, ${count.failed} failed, ${count.missing} missing`,
  );
  if (bad.length > 0) console.log(bad.join("\n"));
  return bad.length === 0;
}

function render(runs) {
  const notes = [];
  const mark = (note) => {
    if (!note) return "";
    if (!notes.includes(note)) notes.push(note);
    return " " + [...String(notes.indexOf(note) + 1)].map((digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[digit]).join("");
  };
  const cell = ({ outcome, note }) => (outcome === "nothing to try" ? "–" : outcome) + mark(note);
  const row = (cells) => `| ${cells.join(" | ")} |`;
  const of = (about) => runs.map(({ client }) => about(client));
  const lines = [
    row(["", ...of(({ client, version }) => `${client} ${version}`)]),
    row(["---", ...of(() => "---")]),
    row(["transport", ...of(({ transport }) => (transport === "http" ? "HTTP" : transport))]),
    row(["revision", ...of(({ wire }) => wire)]),
    ...Object.keys(features).map((name) => row([features[name], ...runs.map((run) => cell(run.outcomes.get(name)))])),
  ];
  return `What the clients that other projects publish do with a server of this crate: each as it is installed, in the
version that the table names, with the same tools.

\`tests/interop/run\` tries every feature with each of them and writes this page from what it finds; CI fails where the
page says something else. A dash stands where there is nothing to try.

${lines.join("\n")}

${notes.map((note) => mark(note).trim() + " " + note).join("\n\n")}
`;
}

const runs = readdirSync(results).filter((file) => file.endsWith(".jsonl")).sort().map(read);
let failed = !runs.map(summary).every(Boolean);
if (!failed) {
  const rendered = render(runs);
  if (write === "--write") {
    writeFileSync(page, rendered);
  } else if (readFileSync(page, "utf8") !== rendered) {
    failed = true;
    console.log("the page says something else: see what `tests/interop/run --write` changes");
  }
}
process.exit(failed ? 1 : 0);
