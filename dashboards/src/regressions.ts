// Regressions: what gates said of kernels over time, and which cases are slower than their baseline.
import * as dashboard from "@grafana/grafana-foundation-sdk/dashboard";
import * as units from "@grafana/grafana-foundation-sdk/units";
import { overTime, rows, stacked } from "./panels.js";
import { RESULTS, sql } from "./sources.js";
import { chosen, pageLink, pageOf, service } from "./variables.js";

const GATES = `
select distinct gate as __value, gate as __text
from v_gate_run
order by 1`;

const CASES = `
select distinct case_name as __value, case_name as __text
from v_gate_case
where gate = \${gate:sqlstring} and sentinel is null
order by 1`;

const RUN = pageOf("/gate-runs/${__value.raw}", "The run");
const CASE = pageOf("/gate-runs/${__data.fields.run}/cases/${__data.fields.place}", "The case");

const OF_GATE = "gate = ${gate:sqlstring}";

export function regressions(): dashboard.Dashboard {
  return new dashboard.DashboardBuilder("Tilewright regressions")
    .uid("tilewright-regressions")
    .description("Verdicts of one gate over its runs, and the slowdown of each case with its interval.")
    .tags(["tilewright", "generated"])
    .time({ from: "now-30d", to: "now" })
    .timezone("browser")
    .readonly()
    .withVariable(chosen("gate", "Gate", "Gates that ever ran.", GATES))
    .withVariable(chosen("case", "Case", "Cases of the gate, without the sentinels that watch the instrument.", CASES))
    .withVariable(service())
    .link(pageLink("The gate", "/gates/${gate:percentencode}"))
    .withPanel(
      stacked({
        title: "Runs by verdict",
        description: "How runs of the gate ended. A failed one never came to a verdict.",
        source: RESULTS,
        targets: [
          sql(
            `
select $__timeGroupAlias(finished_at, $__interval), coalesce(verdict, state) as metric, count(*) as runs
from v_gate_run
where $__timeFilter(finished_at) and ${OF_GATE}
group by 1, coalesce(verdict, state)
order by 1`,
            "time_series",
          ),
        ],
        unit: units.Short,
        span: 12,
      }),
    )
    .withPanel(
      stacked({
        title: "Cases by verdict",
        description: "What was said of single cases, sentinels left out.",
        source: RESULTS,
        targets: [
          sql(
            `
select $__timeGroupAlias(finished_at, $__interval), verdict as metric, count(*) as cases
from v_gate_case
where $__timeFilter(finished_at) and ${OF_GATE} and sentinel is null and verdict is not null
group by 1, verdict
order by 1`,
            "time_series",
          ),
        ],
        unit: units.Short,
        span: 12,
      }),
    )
    .withPanel(
      overTime({
        title: "Slowdown of the chosen case",
        description: "By how many percent the new kernel is slower than its baseline, with the ends of the interval. Below 0 it is faster.",
        source: RESULTS,
        targets: [
          sql(
            `
select finished_at as "time", percent, low, high
from v_gate_case
where $__timeFilter(finished_at) and ${OF_GATE} and case_name = \${case:sqlstring} and percent is not null
order by 1`,
            "time_series",
          ),
        ],
        unit: units.Percent,
        span: 24,
        signed: true,
      }),
    )
    .withPanel(
      rows(
        {
          title: "Runs",
          description: "Runs of the gate, the newest first, with the reason of each verdict and the GPU time that it took.",
          source: RESULTS,
          targets: [
            sql(`
select created_at as started, commit, branch, state, verdict, coalesce(reason, error) as reason, testbed_kind as kind,
       testbed_device as device, gpu_seconds as "GPU time", submitted_by as "by", run_id as run
from v_gate_run
where ${OF_GATE}
order by created_at desc
limit 100`),
          ],
          unit: units.Short,
          span: 24,
          height: 10,
        },
        { started: units.DatetimeLocal, "GPU time": units.Seconds },
        { run: RUN },
      ),
    )
    .withPanel(
      rows(
        {
          title: "Cases that are slower",
          description: "Cases whose whole interval says slower, the newest first, and whether somebody waived them.",
          source: RESULTS,
          targets: [
            sql(`
select finished_at as finished, case_name as "case", verdict, percent, low, high, waived, commit, branch, testbed_device as device, reason,
       run_id as run, ordinal as place
from v_gate_case
where ${OF_GATE} and sentinel is null and low > 0
order by finished_at desc nulls last
limit 100`),
          ],
          unit: units.Short,
          span: 24,
          height: 10,
        },
        { finished: units.DatetimeLocal, percent: units.Percent, low: units.Percent, high: units.Percent },
        { "case": CASE, run: RUN },
      ),
    )
    .withPanel(
      rows(
        {
          title: "The instrument",
          description: "Sentinels: a kernel beside itself, and one that was slowed on purpose. Where one is wrong its run ends inconclusive.",
          source: RESULTS,
          targets: [
            sql(`
select finished_at as finished, sentinel, verdict, percent, low, high, testbed_device as device, reason, run_id as run, ordinal as place
from v_gate_case
where ${OF_GATE} and sentinel is not null
order by finished_at desc nulls last
limit 100`),
          ],
          unit: units.Short,
          span: 24,
        },
        { finished: units.DatetimeLocal, percent: units.Percent, low: units.Percent, high: units.Percent },
        { sentinel: CASE, run: RUN },
      ),
    )
    .build();
}
