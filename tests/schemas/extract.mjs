// Takes the JSON Schemas out of the conformance suite's minified bundle: node extract.mjs <bundle> <folder>.
//
// The bundle needs a newer Node than many machines have, so it is read, not run. In it each schema is an object
// literal in a variable, and one table names the variable of each revision: {"2025-03-26":a,"2025-06-18":b,...}.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import vm from "node:vm";

const REVISIONS = ["2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"];

const [bundlePath, folder] = process.argv.slice(2);
const bundle = readFileSync(bundlePath, "utf8");

for (const [revision, variable] of table(bundle)) {
  const schema = literal(bundle, variable);
  const definitions = Object.keys(schema.$defs ?? schema.definitions ?? {});
  if (!definitions.includes("JSONRPCRequest")) {
    throw new Error(`the schema of ${revision} defines no JSONRPCRequest`);
  }
  writeFileSync(join(folder, `${revision}.json`), JSON.stringify(schema, null, 2) + "\n");
}

/** Revision and variable of each schema. The newest revision's key may itself be a variable. */
function table(source) {
  const found = /\{"2025-03-26":([\w$]+),"2025-06-18":([\w$]+),"2025-11-25":([\w$]+),(?:"2026-07-28"|\[[\w$]+\]):([\w$]+)\}/.exec(source);
  if (!found) throw new Error("the bundle has no table of schemas by revision");
  return REVISIONS.map((revision, index) => [revision, found[index + 1]]);
}

/** The object literal that `variable` is set to where it holds a schema. */
function literal(source, variable) {
  const escaped = variable.replaceAll("$", "\\$");
  const found = new RegExp(`[,; ]${escaped}=(?=\\{\\$schema:)`).exec(source);
  if (!found) throw new Error(`the bundle sets ${variable} to no schema`);
  const start = found.index + found[0].length;
  const text = source.slice(start, end(source, start));
  // Data alone: no name is in scope, so anything but a literal throws.
  return vm.runInNewContext(`(${text})`, Object.create(null), { timeout: 10_000 });
}

/** Where the bracket that opens at `start` is closed. Strings of all three kinds are skipped. */
function end(source, start) {
  let depth = 0;
  for (let at = start; at < source.length; at += 1) {
    const char = source[at];
    if ("\"'`".includes(char)) {
      at = closingQuote(source, at);
    } else if ("{[(".includes(char)) {
      depth += 1;
    } else if ("}])".includes(char) && (depth -= 1) === 0) {
      return at + 1;
    }
  }
  throw new Error("a schema is never closed");
}

function closingQuote(source, open) {
  for (let at = open + 1; at < source.length; at += 1) {
    if (source[at] === "\\") at += 1;
    else if (source[at] === source[open]) return at;
  }
  throw new Error("a string is never closed");
}
