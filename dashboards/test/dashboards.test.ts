// generated/ is what src/ says, and every dashboard keeps the house rules.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { dashboards, text } from "../src/dashboards.js";
import { METRICS, RESULTS } from "../src/sources.js";

interface PanelJson {
  id: number;
  type: string;
  title?: string;
  description?: string;
  datasource?: { type: string; uid: string };
  targets?: { refId: string; datasource: { type: string; uid: string }; rawSql?: string; expr?: string }[];
  fieldConfig?: {
    defaults: { unit?: string };
    overrides: { matcher: { id: string; options: string }; properties: { id: string; value: unknown }[] }[];
  };
  gridPos: { x: number; y: number; w: number; h: number };
}

interface DashboardJson {
  uid: string;
  title: string;
  panels: PanelJson[];
  links?: LinkJson[];
  templating?: { list: { name: string; query?: string }[] };
}

interface LinkJson {
  title: string;
  url: string;
}

const files = readdirSync("generated").filter((name) => name.endsWith(".json"));
const generated = files.map((name) => JSON.parse(readFileSync(`generated/${name}`, "utf8")) as DashboardJson);

test("generated/ holds one file per dashboard, as src/ builds it (else: npm run generate)", () => {
  assert.deepEqual(files.sort(), dashboards.map((dashboard) => `${dashboard.uid}.json`).sort());
  for (const dashboard of dashboards) {
    assert.equal(readFileSync(`generated/${dashboard.uid}.json`, "utf8"), text(dashboard), dashboard.uid);
  }
});

test("uids are unique, and the data sources are provisioned under theirs", () => {
  const uids = generated.map((dashboard) => dashboard.uid);
  assert.equal(new Set(uids).size, uids.length);
  const provisioned = readFileSync("provisioning/datasources/tilewright.yml", "utf8");
  for (const source of [METRICS, RESULTS]) {
    assert.match(provisioned, new RegExp(`uid: ${source.uid}\\n    type: ${source.type}\\n`));
  }
});

// As docs/pages.md lists them: /gate-runs/{id}/cases/{place} is /gate-runs/*/cases/*.
const pages = [...readFileSync("../docs/pages.md", "utf8").matchAll(/^\| `(\/[^`]*)` \|/gm)].map(([, path]) => path!.replace(/\{\w+}/g, "*"));

function linksOf(panel: PanelJson): Map<string, LinkJson[]> {
  return new Map(
    (panel.fieldConfig?.overrides ?? []).flatMap(({ matcher, properties }) =>
      properties.filter((property) => property.id === "links").map((property) => [matcher.options, property.value as LinkJson[]]),
    ),
  );
}

// What a query shows: the names of its columns, by what they are made of.
function columns(query: string): { name: string; of: string }[] {
  const list = query.slice("select".length, query.indexOf("\nfrom"));
  return list.split(/,(?![^(]*\))/).map((column) => {
    const [, of, name] = /^([^]*?)(?: as "?([^"]+)"?)?$/.exec(column.trim())!;
    return { of: of!, name: name ?? of!.replace(/^\w\./, "") };
  });
}

for (const dashboard of generated) {
  test(`${dashboard.uid}: panels have unique ids, titles, descriptions and units, and do not overlap`, () => {
    assert.ok(dashboard.panels.length > 0);
    const unique = (values: unknown[]) => assert.equal(new Set(values).size, values.length);
    unique(dashboard.panels.map((panel) => panel.id));
    unique(dashboard.panels.map((panel) => panel.title));
    const taken = new Set<string>();
    for (const panel of dashboard.panels) {
      assert.ok(panel.id > 0 && panel.title, `panel ${panel.id} has an id and a title`);
      assert.ok(panel.description && panel.description.endsWith("."), `${panel.title}: a description of whole sentences`);
      assert.ok(panel.fieldConfig?.defaults.unit, `${panel.title}: a unit`);
      const { x, y, w, h } = panel.gridPos;
      assert.ok(x + w <= 24, `${panel.title}: inside 24 columns`);
      for (let column = x; column < x + w; column++) {
        for (let row = y; row < y + h; row++) {
          assert.ok(!taken.has(`${column},${row}`), `${panel.title}: overlaps at ${column},${row}`);
          taken.add(`${column},${row}`);
        }
      }
    }
  });

  test(`${dashboard.uid}: targets use the provisioned sources and declared variables`, () => {
    const declared = new Set((dashboard.templating?.list ?? []).map((variable) => variable.name));
    const queries = (dashboard.templating?.list ?? []).map((variable) => variable.query ?? "");
    for (const panel of dashboard.panels) {
      assert.ok(panel.targets?.length, `${panel.title}: has targets`);
      for (const target of panel.targets) {
        assert.ok(
          [METRICS, RESULTS].some((source) => source.uid === target.datasource.uid && source.type === target.datasource.type),
          `${panel.title}: ${JSON.stringify(target.datasource)}`,
        );
        assert.equal(target.datasource.uid, panel.datasource?.uid, panel.title);
        const query = target.datasource.uid === RESULTS.uid ? target.rawSql : target.expr;
        assert.ok(query, `${panel.title}: a query`);
        queries.push(query);
      }
    }
    for (const query of queries) {
      // Grafana's own macros and variables begin with two underscores.
      for (const [, name] of query.matchAll(/\$\{?([A-Za-z_][A-Za-z0-9_]*)/g)) {
        assert.ok(name!.startsWith("__") || declared.has(name!), `$${name} is not declared: ${query}`);
      }
    }
  });

  test(`${dashboard.uid}: links lead to pages of the service, each id is one, and no variable is left over`, () => {
    const links = [...(dashboard.links ?? []), ...dashboard.panels.flatMap((panel) => [...linksOf(panel).values()].flat())];
    assert.ok(dashboard.links?.length, "links above the panels");
    for (const { title, url } of links) {
      assert.ok(title, url);
      assert.ok(url.startsWith("${service}/"), `${title}: of the service: ${url}`);
      const path = url.slice("${service}".length).replace(/\$\{[^}]+}/g, "*");
      assert.ok(pages.includes(path), `${title}: docs/pages.md has no ${path}`);
    }
    for (const panel of dashboard.panels) {
      const linked = linksOf(panel);
      const query = panel.targets?.[0]?.rawSql;
      if (panel.type === "table" && query) {
        const shown = columns(query);
        const fields = [...linked].flatMap(([column, its]) => [
          column,
          ...its.flatMap((link) => [...link.url.matchAll(/__data\.fields\.(\w+)/g)].map(([, field]) => field!)),
        ]);
        for (const field of fields) {
          assert.ok(shown.some((column) => column.name === field), `${panel.title}: a link of the column ${field}, which is not there`);
        }
        for (const { of, name } of shown.filter((column) => column.of.endsWith("_id"))) {
          assert.ok(linked.has(name), `${panel.title}: ${name} is ${of} and leads nowhere`);
        }
      } else {
        assert.equal(linked.size, 0, `${panel.title}: links of cells are for tables`);
      }
    }
    const all = JSON.stringify({ panels: dashboard.panels, links, queries: dashboard.templating?.list.map((variable) => variable.query) });
    for (const { name } of dashboard.templating?.list ?? []) {
      assert.match(all, new RegExp(`\\$\\{${name}[:}]`), `$${name} is used by nothing`);
    }
  });
}
