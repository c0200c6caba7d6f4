// All dashboards and the text of each file in generated/.
import type { Dashboard } from "@grafana/grafana-foundation-sdk/dashboard";
import { fleet } from "./fleet.js";
import { regressions } from "./regressions.js";
import { shapes } from "./shapes.js";
import { study } from "./study.js";

// Panels are numbered in their order: an id that stays gives a panel link that stays.
function numbered(dashboard: Dashboard): Dashboard {
  dashboard.panels?.forEach((panel, i) => (panel.id = i + 1));
  return dashboard;
}

export const dashboards: Dashboard[] = [numbered(fleet()), numbered(study()), numbered(shapes()), numbered(regressions())];

export function text(dashboard: Dashboard): string {
  return JSON.stringify(dashboard, null, 2) + "\n";
}
