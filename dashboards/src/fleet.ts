// The fleet: who works, what waits, what fails, how the API answers.
import * as dashboard from "@grafana/grafana-foundation-sdk/dashboard";
import * as units from "@grafana/grafana-foundation-sdk/units";
import { overTime, rows, stacked } from "./panels.js";
import { METRICS, metric, RESULTS, sql } from "./sources.js";
import { pageLink, pageOf, service } from "./variables.js";

// A stream of events is a request that lasts as long as somebody listens: it says nothing of how fast others are answered.
const NO_STREAMS = '{uri!~"/api/v1/(leases|jobs/.*/events)"}';

export function fleet(): dashboard.Dashboard {
  return new dashboard.DashboardBuilder("Tilewright fleet")
    .uid("tilewright-fleet")
    .description("Workers, queue, outcomes and the API of one Tilewright service.")
    .tags(["tilewright", "generated"])
    .time({ from: "now-1h", to: "now" })
    .refresh("10s")
    .timezone("browser")
    .readonly()
    .withVariable(service())
    .link(pageLink("Workers", "/workers"))
    .link(pageLink("Jobs", "/"))
    .withPanel(
      overTime({
        title: "Live workers",
        description: "Workers whose last heartbeat is younger than a lease.",
        source: METRICS,
        targets: [metric("tilewright_workers_live", "workers")],
        unit: units.Short,
        span: 8,
      }),
    )
    .withPanel(
      overTime({
        title: "Queue",
        description: "Trials, and tasks such as comparisons and blocks of gates, that wait for a worker or that one holds. Studies that are open.",
        source: METRICS,
        targets: [
          metric("max by (state) (tilewright_trials)", "trials {{state}}", "A"),
          metric("max by (state) (tilewright_tasks)", "tasks {{state}}", "B"),
          metric("max(tilewright_studies_open)", "studies open", "C"),
        ],
        unit: units.Short,
        span: 8,
      }),
    )
    .withPanel(
      overTime({
        title: "Lease endings",
        description: "Leases that ended otherwise than by a report: expired (the worker was silent), undelivered (it never heard of it), refused, cancelled. Stale is a report that came after its lease was lost.",
        source: METRICS,
        targets: [
          metric('sum by (ending) (rate(tilewright_leases_ended_total{ending!="reported"}[$__rate_interval]))', "{{ending}}", "A"),
          metric("sum(rate(tilewright_reports_stale_total[$__rate_interval]))", "stale", "B"),
        ],
        unit: units.CountsPerSecond,
        span: 8,
      }),
    )
    .withPanel(
      overTime({
        title: "Oldest in the queue",
        description: "For how long the oldest trial, study and task has waited. A study waits for a device, the others for a worker.",
        source: METRICS,
        targets: [metric("max by (of) (tilewright_queue_age_seconds)", "{{of}}")],
        unit: units.Seconds,
        span: 8,
      }),
    )
    .withPanel(
      overTime({
        title: "GPU busy share",
        description: "Share of the time of trials, finals and comparisons in which a GPU ran kernels, without what it spun until they were timed.",
        source: METRICS,
        targets: [
          metric(
            'sum by (host, device) (rate(tilewright_gpu_time_seconds_total{state="busy"}[$__rate_interval])) / ' +
              "sum by (host, device) (rate(tilewright_gpu_time_seconds_total[$__rate_interval]))",
            "{{host}} {{device}}",
          ),
        ],
        unit: units.PercentUnit,
        span: 8,
      }),
    )
    .withPanel(
      overTime({
        title: "SM clock",
        description: "Clock of each GPU while something was timed on it last. One that is lower than its neighbours is throttled.",
        source: METRICS,
        targets: [metric("max by (host, device) (tilewright_gpu_clock_hertz)", "{{host}} {{device}}")],
        unit: units.Hertz,
        span: 8,
      }),
    )
    .withPanel(
      overTime({
        title: "Power",
        description: "Power of each GPU while something was timed on it last.",
        source: METRICS,
        targets: [metric("max by (host, device) (tilewright_gpu_power_watts)", "{{host}} {{device}}")],
        unit: units.Watt,
        span: 8,
      }),
    )
    .withPanel(
      overTime({
        title: "Temperature",
        description: "Temperature of the chip of each GPU while something was timed on it last.",
        source: METRICS,
        targets: [metric("max by (host, device) (tilewright_gpu_temperature_celsius)", "{{host}} {{device}}")],
        unit: units.Celsius,
        span: 8,
      }),
    )
    .withPanel(
      overTime({
        title: "Time of workers",
        description: "What workers do with a trial: build its text, assemble it, check it, measure it.",
        source: METRICS,
        targets: [
          metric("sum by (phase) (rate(tilewright_trials_phases_seconds_total[$__rate_interval]))", "{{phase}}"),
        ],
        unit: units.PercentUnit,
        span: 8,
      }),
    )
    .withPanel(
      overTime({
        title: "Answer to a worker",
        description: "99 of 100 requests for work were answered faster.",
        source: METRICS,
        targets: [
          metric(
            "histogram_quantile(0.99, sum by (le) (rate(tilewright_leases_answer_seconds_bucket[$__rate_interval])))",
            "p99",
          ),
        ],
        unit: units.Seconds,
        span: 8,
      }),
    )
    .withPanel(
      overTime({
        title: "Duration of a trial",
        description: "From the lease of a trial to its end, half of them and 99 of 100, by what it ran on.",
        source: METRICS,
        targets: [
          metric(
            "histogram_quantile(0.5, sum by (le, kind) (rate(tilewright_trials_duration_seconds_bucket[$__rate_interval])))",
            "{{kind}} p50",
            "A",
          ),
          metric(
            "histogram_quantile(0.99, sum by (le, kind) (rate(tilewright_trials_duration_seconds_bucket[$__rate_interval])))",
            "{{kind}} p99",
            "B",
          ),
        ],
        unit: units.Seconds,
        span: 8,
      }),
    )
    .withPanel(
      overTime({
        title: "Answer of the search",
        description: "99 of 100 questions to the search were answered faster, by what it was asked.",
        source: METRICS,
        targets: [
          metric(
            "histogram_quantile(0.99, sum by (le, about) (rate(tilewright_search_ask_seconds_bucket[$__rate_interval])))",
            "{{about}}",
          ),
        ],
        unit: units.Seconds,
        span: 8,
      }),
    )
    .withPanel(
      overTime({
        title: "Verdicts",
        description: "Comparisons that finished and runs of gates that were decided within an hour, by their verdict.",
        source: METRICS,
        targets: [
          metric("sum by (verdict) (increase(tilewright_comparisons_total[1h]))", "comparison {{verdict}}", "A"),
          metric("sum by (verdict) (increase(tilewright_gates_decided_total[1h]))", "gate {{verdict}}", "B"),
        ],
        unit: units.Short,
        span: 8,
      }),
    )
    .withPanel(
      overTime({
        title: "Best rate",
        description: "Highest rate that a final on a real GPU measured, by class of shapes, in operations a second.",
        source: METRICS,
        targets: [metric("max by (model, shapes) (tilewright_best_rate_flops)", "{{model}} {{shapes}}")],
        unit: units.FlopsPerSecond,
        span: 8,
      }),
    )
    .withPanel(
      overTime({
        title: "Deleted by retention",
        description: "What retention deleted within a day; nothing where no age is set.",
        source: METRICS,
        targets: [metric("sum by (what) (increase(tilewright_retention_deleted_total[1d]))", "{{what}}")],
        unit: units.Short,
        span: 8,
      }),
    )
    .withPanel(
      stacked({
        title: "Finished trials by outcome",
        description: "How trials ended, by what they ran on: real, simulated and emulated ones are never added up.",
        source: RESULTS,
        targets: [
          sql(
            `
select $__timeGroupAlias(finished_at, $__interval), coalesce(testbed_kind, 'no device') || ' ' || outcome as metric, count(*) as trials
from v_trial
where $__timeFilter(finished_at)
group by 1, 2
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
        title: "Attempts by ending",
        description: "How leases ended. Expired ones were taken from a silent worker and given out again.",
        source: RESULTS,
        targets: [
          sql(
            `
select $__timeGroupAlias(ended_at, $__interval), ending as metric, count(*) as leases
from v_attempt
where $__timeFilter(ended_at)
group by 1, ending
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
        title: "API: slowest request",
        description: "The slowest request of each path in the last minutes, as the service's own maximum says.",
        source: METRICS,
        targets: [metric(`max by (uri) (http_server_requests_seconds_max${NO_STREAMS})`, "{{uri}}")],
        unit: units.Seconds,
        span: 8,
      }),
    )
    .withPanel(
      overTime({
        title: "API: mean latency",
        description: "Mean time of a request of each path.",
        source: METRICS,
        targets: [
          metric(
            `sum by (uri) (rate(http_server_requests_seconds_sum${NO_STREAMS}[$__rate_interval])) / ` +
              `sum by (uri) (rate(http_server_requests_seconds_count${NO_STREAMS}[$__rate_interval]))`,
            "{{uri}}",
          ),
        ],
        unit: units.Seconds,
        span: 8,
      }),
    )
    .withPanel(
      overTime({
        title: "API: requests by status",
        description: "Requests a second by status. A 5xx is our fault and wants a look.",
        source: METRICS,
        targets: [
          metric("sum by (status) (rate(http_server_requests_seconds_count[$__rate_interval]))", "{{status}}"),
        ],
        unit: units.RequestsPerSecond,
        span: 8,
      }),
    )
    .withPanel(
      rows(
        {
          title: "Devices",
          description: "Every device a worker has offered, the last seen first.",
          source: RESULTS,
          targets: [
            sql(`
select host, pid, device, testbed_kind as kind, testbed_device as model, testbed_driver as driver,
       testbed_assembler as assembler, sm_count as sms,
       live_leases as leases, extract(epoch from now() - last_seen_at) as "last seen"
from v_worker
order by last_seen_at desc
limit 100`),
          ],
          unit: units.Short,
          span: 24,
        },
        { "last seen": units.Seconds, pid: units.NoUnit },
        { host: pageOf("/workers", "The workers"), device: pageOf("/workers", "The workers") },
      ),
    )
    .withPanel(
      rows(
        {
          title: "Open studies",
          description: "Studies that wait or run, the oldest first: the order in which they are served.",
          source: RESULTS,
          targets: [
            sql(`
select s.job_name as job, s.shape, s.dtype, s.family, s.state, coalesce(s.testbed_kind, 'not bound yet') as kind,
       s.testbed_device as device, s.trial_budget as budget, count(t.trial_id) as asked,
       count(t.trial_id) filter (where t.state = 'finished') as finished, s.error,
       s.study_id as study, s.job_id as "job id"
from v_study s
left join v_trial t on t.study_id = s.study_id and (t.outcome is distinct from 'pruned' or t.attempts > 0)
where s.state in ('queued', 'running')
group by s.study_seq, s.study_id, s.job_id, s.job_name, s.shape, s.dtype, s.family, s.state, s.testbed_kind, s.testbed_device, s.trial_budget, s.error
order by s.study_seq
limit 100`),
          ],
          unit: units.Short,
          span: 24,
        },
        {},
        { study: pageOf("/studies/${__value.raw}", "The study"), "job id": pageOf("/jobs/${__value.raw}", "The job") },
      ),
    )
    .build();
}
