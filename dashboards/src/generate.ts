// Writes generated/<uid>.json for every dashboard, and of which src/ they are; run from dashboards/ by `npm run generate`.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dashboards, text } from "./dashboards.js";

for (const dashboard of dashboards) {
  writeFileSync(`generated/${dashboard.uid}.json`, text(dashboard));
}

// Where there is no node, DashboardRulesTest sees by these that nobody changed one of the two alone.
function digests(folder: string, ending: string): string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith(ending))
    .sort()
    .map((name) => `${createHash("sha256").update(readFileSync(`${folder}/${name}`)).digest("hex")}  ${folder}/${name}\n`);
}

writeFileSync("generated/sha256sums", [...digests("generated", ".json"), ...digests("src", ".ts")].join(""));
