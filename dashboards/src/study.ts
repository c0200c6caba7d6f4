// One study: the leaderboard, how the search went, and the scheduler's evidence of one trial.
import * as dashboard from "@grafana/grafana-foundation-sdk/dashboard";
import * as units from "@grafana/grafana-foundation-sdk/units";
import { bars, facts, overOrdinal, rows } from "./panels.js";
import { RESULTS, sql } from "./sources.js";
import { chosen, pageLink, pageOf, service } from "./variables.js";

const STUDIES = `
select study_id as __value,
       concat_ws(' ', job_name, coalesce(shape, 'grouped'), dtype, coalesce(testbed_kind, 'not bound'), left(study_id::text, 8)) as __text
from v_study
order by study_seq desc
limit 200`;

const TRIALS = `
select trial_id as __value, concat_ws(' ', '#' || ordinal, scheduler, round(tflops::numeric, 1) || ' TFLOP/s') as __text
from v_trial
where study_id = nullif(\${study:sqlstring}, '')::uuid and outcome = 'completed'
order by array_position(array['final', 'contend', 'screen'], last_stage), tflops desc nulls last
limit 500`;

const OF_STUDY = "study_id = nullif(${study:sqlstring}, '')::uuid";
const OF_TRIAL = "trial_id = nullif(${trial:sqlstring}, '')::uuid";

export function study(): dashboard.Dashboard {
  return new dashboard.DashboardBuilder("Tilewright study")
    .uid("tilewright-study")
    .description("One study: its leaderboard, its search and the evidence of one trial.")
    .tags(["tilewright", "generated"])
    .time({ from: "now-24h", to: "now" })
    .refresh("10s")
    .timezone("browser")
    .readonly()
    .withVariable(chosen("study", "Study", "The newest first.", STUDIES))
    .withVariable(chosen("trial", "Trial", "Completed trials of the study, finalists first, of each stage the fastest first.", TRIALS))
    .withVariable(service())
    .link(pageLink("The study", "/studies/${study}"))
    .link(pageLink("The trial", "/trials/${trial}"))
    .withPanel(
      facts({
        title: "Where the numbers come from",
        description: "The testbed. What says simulated was predicted by a model and never measured.",
        source: RESULTS,
        targets: [
          sql(`
select coalesce(testbed_kind, 'not bound yet') as kind, testbed_device as device, testbed_driver as driver,
       testbed_assembler as assembler, sm_count as sms, state, shape, dtype
from v_study
where ${OF_STUDY}`),
        ],
        unit: units.NoUnit,
        span: 24,
        height: 4,
      }),
    )
    .withPanel(
      rows(
        {
          title: "Leaderboard",
          description: "Finalists first, then contenders, then what was only screened, at a higher clock: of each the fastest by the last sustained median, with its 95 % interval where there is one.",
          source: RESULTS,
          targets: [
            sql(`
select ordinal as trial, testbed_kind as kind, scheduler, config::text as config, last_stage as stage, tflops,
       median_ns as median, ci_low_ns as "interval low", ci_high_ns as "interval high",
       error_ratio as "error ratio", registers, shared_bytes as "shared memory", idle_tail_fraction as "idle tail", trial_id as page
from v_trial
where ${OF_STUDY} and outcome = 'completed'
order by array_position(array['final', 'contend', 'screen'], last_stage), tflops desc nulls last
limit 50`),
          ],
          unit: units.Short,
          span: 24,
          height: 10,
        },
        {
          tflops: units.TeraFlopsPerSecond,
          median: units.Nanoseconds,
          "interval low": units.Nanoseconds,
          "interval high": units.Nanoseconds,
          "shared memory": units.BytesIEC,
          "idle tail": units.PercentUnit,
        },
        { page: pageOf("/trials/${__value.raw}", "The trial") },
      ),
    )
    .withPanel(
      overOrdinal(
        {
          title: "TFLOP/s over trials",
          description: "Each completed trial in the order they finished, and the best so far.",
          source: RESULTS,
          targets: [
            sql(`
select row_number() over (order by finish_seq) as finished, tflops, max(tflops) over (order by finish_seq) as "best so far"
from v_trial
where ${OF_STUDY} and outcome = 'completed' and tflops is not null
order by finish_seq`),
          ],
          unit: units.TeraFlopsPerSecond,
          span: 12,
        },
        "finished",
      ),
    )
    .withPanel(
      overOrdinal(
        {
          title: "Idle tail over trials",
          description: "Share of a kernel's time in which an SM had run out of tiles, on average over SMs, from the traced twin.",
          source: RESULTS,
          targets: [
            sql(`
select row_number() over (order by finish_seq) as finished, idle_tail_fraction as "idle tail"
from v_trial
where ${OF_STUDY} and outcome = 'completed' and idle_tail_fraction is not null
order by finish_seq`),
          ],
          unit: units.PercentUnit,
          span: 12,
        },
        "finished",
      ),
    )
    .withPanel(
      bars(
        {
          title: "Tiles per SM of the chosen trial",
          description: "How many SMs computed how many output tiles. One bar is perfect balance.",
          source: RESULTS,
          targets: [
            sql(`
select sm.tiles || ' tiles' as "tiles", count(*) as sms
from v_trial, jsonb_array_elements_text(tiles_per_sm) as sm(tiles)
where ${OF_TRIAL}
group by sm.tiles
order by sm.tiles::integer`),
          ],
          unit: units.Short,
          span: 12,
        },
        "tiles",
      ),
    )
    .withPanel(
      bars(
        {
          title: "Outcomes",
          description: "How the study's trials ended.",
          source: RESULTS,
          targets: [
            sql(`
select outcome, count(*) as trials
from v_trial
where ${OF_STUDY} and outcome is not null
group by outcome
order by trials desc, outcome`),
          ],
          unit: units.Short,
          span: 12,
        },
        "outcome",
      ),
    )
    .withPanel(
      rows(
        {
          title: "Final: our best beside the peers",
          description: "Steady-state comparison of the finalists and the vendor's kernels in one run; empty for a simulated study.",
          source: RESULTS,
          targets: [
            sql(`
select name, peer, family, config::text as config, outcome, testbed_kind as kind, tflops, median_ns as median,
       ci_low_ns as "interval low", ci_high_ns as "interval high"
from v_final_arm
where ${OF_STUDY}
order by tflops desc nulls last, name`),
          ],
          unit: units.Short,
          span: 24,
        },
        {
          tflops: units.TeraFlopsPerSecond,
          median: units.Nanoseconds,
          "interval low": units.Nanoseconds,
          "interval high": units.Nanoseconds,
        },
      ),
    )
    .build();
}
