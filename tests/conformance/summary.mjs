// summary.mjs DIR NAME EXPECTED: one line on the results in DIR; exits with 1 unless there are EXPECTED scenarios.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const [dir, name, expected] = process.argv.slice(2);
const scenarios = readdirSync(dir);
const count = { SUCCESS: 0, FAILURE: 0, WARNING: 0, SKIPPED: 0, INFO: 0 };
const bad = [];
for (const scenario of scenarios) {
  const checks = JSON.parse(readFileSync(join(dir, scenario, "checks.json"), "utf8"));
  for (const check of checks) {
    count[check.status] += 1;
    if (check.status === "FAILURE" || check.status === "WARNING") {
      const title = scenario.replace(/^server-/, "").replace(/-\d{4}-\d\d-\d\dT.*$/, "");
      bad.push(`  ${check.status} ${title}:${check.id}: ${check.errorMessage ?? check.description}`);
    }
  }
}
console.log(
  `conformance ${name}: ${scenarios.length} of ${expected} scenarios, ${count.SUCCESS} checks passed, ` +
    `${count.FAILURE} failed, ${count.WARNING} warned, ${count.SKIPPED} skipped`,
);
if (bad.length > 0) console.log(bad.join("\n"));
process.exit(scenarios.length === Number(expected) ? 0 : 1);
