// table.mjs ABOUT RESULTS PAGE [--write]: one line on each run of a client or a server, whose lines are in RESULTS,
// and the page that tells of all runs. ABOUT is the module with the features and the page's other words. Exits with 1
// if a feature failed or was not tried, or if PAGE says something else; --write writes it.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [about, results, page, write] = process.argv.slice(2);
const { introduction, features } = await import(pathToFileURL(about));

/** One run: the line about whom it is with, and the line about each feature by its name. */
function read(file) {
  const lines = readFileSync(join(results, file), "utf8").split("\n").filter((line) => line !== "");
  const [peer, ...outcomes] = lines.map((line) => JSON.parse(line));
  return { file, peer, outcomes: new Map(outcomes.map((line) => [line.feature, line])) };
}

function summary({ file, peer, outcomes }) {
  const count = { yes: 0, no: 0, "nothing to try": 0, failed: 0, missing: 0 };
  const bad = [];
  for (const name of new Set([...Object.keys(features), ...outcomes.keys()])) {
    const { outcome, note } = features[name] ? (outcomes.get(name) ?? { outcome: "missing" }) : { outcome: "unknown" };
    count[outcome] += 1;
    if (!["yes", "no", "nothing to try"].includes(outcome)) bad.push(`  ${name}: ${outcome} ${note ?? ""}`);
  }
  const words = peer && [`${peer.peer.replaceAll("`", "")} ${peer.version}`, peer.transport, peer.wire];
  console.log(
    `interop ${words?.join(", ") ?? file}: ${count.yes} of ${Object.keys(features).length} features work, ${count.no} lacking, ` +
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
  const of = (about) => runs.map(({ peer }) => about(peer));
  const lines = [
    row(["", ...of(({ peer, version }) => `${peer} ${version}`)]),
    row(["---", ...of(() => "---")]),
    row(["transport", ...of(({ transport }) => (transport === "http" ? "HTTP" : transport))]),
    row(["revision", ...of(({ wire }) => wire)]),
    ...Object.keys(features).map((name) => row([features[name], ...runs.map((run) => cell(run.outcomes.get(name)))])),
  ];
  return `${introduction}

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
    console.log("the page says something else: see what `--write` changes");
  }
}
process.exit(failed ? 1 : 0);
