// The fleet: who works, what waits, what fails, how the API answers.
import * as dashboard from "@grafana/grafana-foundation-sdk/dashboard";
import * as units from "@grafana/grafana-foundation-sdk/units";
import { overTime, rows, stacked } from "./panels.js";
import { METRICS, metric, RESULTS, sql } from "./sources.js";
import { pageLink, pageOf, service } from "./variables.js";

// A stream of events is a request that lasts as long as somebody listens: it says nothing of how fast others are answered.
const NO_STREAMS = '{uri!="/api/v1/jobs/{id}/events"}';

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
        description: "Trials that wait for a worker, and trials that workers hold.",
        source: METRICS,
        targets: [
          metric('tilewright_trials{state="queued"}', "queued", "A"),
          metric('tilewright_trials{state="leased"}', "leased", "B"),
        ],
        unit: units.Short,
        span: 8,
      }),
    )
    .withPanel(
      overTime({
        title: "Lease endings",
        description: "Leases that ended otherwise than by a report: expired (the worker was silent), undelivered (it never heard of it), refused, cancelled.",
        source: METRICS,
        targets: [
          metric('sum by (ending) (rate(tilewright_leases_ended_total{ending!="reported"}[$__rate_interval]))', "{{ending}}"),
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
        description: "Share of the time of trials in which a GPU ran kernels, spun until they were timed excluded.",
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
        description: "Clock of each GPU while its last trial was timed. One that is lower than its neighbours is throttled.",
        source: METRICS,
        targets: [metric("max by (host, device) (tilewright_gpu_clock_hertz)", "{{host}} {{device}}")],
        unit: units.Hertz,
        span: 8,
      }),
    )
    .withPanel(
      overTime({
        title: "Power",
        description: "Power of each GPU while its last trial was timed.",
        source: METRICS,
        targets: [metric("max by (host, device) (tilewright_gpu_power_watts)", "{{host}} {{device}}")],
        unit: units.Watt,
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
      stacked({
        title: "Finished trials by outcome",
        description: "How trials ended, of real and simulated devices together; the study dashboard tells them apart.",
        source: RESULTS,
        targets: [
          sql(
            `
select $__timeGroupAlias(finished_at, $__interval), outcome as metric, count(*) as trials
from v_trial
where $__timeFilter(finished_at)
group by 1, outcome
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
