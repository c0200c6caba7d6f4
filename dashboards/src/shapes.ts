// The shapes: what is best for each of them on each GPU, and how far ahead of the best peer of the same run.
import * as dashboard from "@grafana/grafana-foundation-sdk/dashboard";
import * as units from "@grafana/grafana-foundation-sdk/units";
import { bars, overTime, rows } from "./panels.js";
import { RESULTS, sql } from "./sources.js";
import { chosen, pageLink, pageOf, service } from "./variables.js";

const GPUS = `
select distinct testbed_device as __value, testbed_device as __text
from v_final
order by 1`;

const TYPES = `
select distinct dtype as __value, dtype as __text
from v_final
order by 1`;

const WANTED = "testbed_device = ${gpu:sqlstring} and dtype = ${dtype:sqlstring}";

// Of the finals of a shape the one that is ahead of its best peer by the most that is sure; absolute rates differ from run to run.
const BEST = `
select distinct on (m, n, k) *
from v_final
where ${WANTED}
order by m, n, k, ratio_low desc nulls last, finished_at desc`;

export function shapes(): dashboard.Dashboard {
  return new dashboard.DashboardBuilder("Tilewright shapes")
    .uid("tilewright-shapes")
    .description("The best known config of each shape on a GPU, beside the best kernel of the vendor in the same run.")
    .tags(["tilewright", "generated"])
    .time({ from: "now-30d", to: "now" })
    .timezone("browser")
    .readonly()
    .withVariable(chosen("gpu", "GPU", "Models on which a final was measured.", GPUS))
    .withVariable(chosen("dtype", "Types", "Of A and B.", TYPES))
    .withVariable(service())
    .link(pageLink("Best configs by shape", "/shapes"))
    .withPanel(
      rows(
        {
          title: "Best configs by shape",
          description: "One row a shape: our fastest kernel of a final, the best peer of the same run, and the ratio of their rates with its 95 % interval.",
          source: RESULTS,
          targets: [
            sql(`
select shape, scheduler, tflops, best_peer as "best peer", peer_tflops as "peer", ratio, ratio_low as "ratio low",
       ratio_high as "ratio high", median_ns as median, testbed_driver as driver, finished_at as measured, config::text as config,
       study_id as study
from (${BEST}) best
order by m::bigint * n * k
limit 500`),
          ],
          unit: units.Short,
          span: 24,
          height: 12,
        },
        {
          tflops: units.TeraFlopsPerSecond,
          peer: units.TeraFlopsPerSecond,
          median: units.Nanoseconds,
          measured: units.DatetimeLocal,
        },
        { study: pageOf("/studies/${__value.raw}", "The study") },
      ),
    )
    .withPanel(
      bars(
        {
          title: "Rate by shape",
          description: "The best rate of our kernels and of the best peer, from the same run.",
          source: RESULTS,
          targets: [
            sql(`
select shape, tflops as ours, peer_tflops as "best peer"
from (${BEST}) best
order by m::bigint * n * k
limit 60`),
          ],
          unit: units.TeraFlopsPerSecond,
          span: 24,
        },
        "shape",
      ),
    )
    .withPanel(
      bars(
        {
          title: "Ahead of the best peer by shape",
          description: "Ratio of the rates less 1, and the lower end of its interval. Below 0 the peer is faster.",
          source: RESULTS,
          targets: [
            sql(`
select shape, ratio - 1 as ahead, ratio_low - 1 as "at least"
from (${BEST}) best
where ratio is not null
order by m::bigint * n * k
limit 60`),
          ],
          unit: units.PercentUnit,
          span: 12,
          signed: true,
        },
        "shape",
      ),
    )
    .withPanel(
      bars(
        {
          title: "Which tile scheduler wins",
          description: "On how many shapes the best config has each scheduler.",
          source: RESULTS,
          targets: [
            sql(`
select scheduler, count(*) as shapes
from (${BEST}) best
group by scheduler
order by shapes desc, scheduler`),
          ],
          unit: units.Short,
          span: 12,
        },
        "scheduler",
      ),
    )
    .withPanel(
      overTime({
        title: "Ratio to the best peer over time",
        description: "Every final of the chosen GPU, by its shape: a shape that falls wants a look at the driver, or a new tune.",
        source: RESULTS,
        targets: [
          sql(
            `
select finished_at as "time", shape as metric, ratio
from v_final
where $__timeFilter(finished_at) and ${WANTED} and ratio is not null
order by 1`,
            "time_series",
          ),
        ],
        unit: units.Short,
        span: 24,
      }),
    )
    .build();
}
