// Writes generated/<uid>.json for every dashboard; run from dashboards/ by `npm run generate`.
import { writeFileSync } from "node:fs";
import { dashboards, text } from "./dashboards.js";

for (const dashboard of dashboards) {
  writeFileSync(`generated/${dashboard.uid}.json`, text(dashboard));
}
