-- How the trials of a study stand. Kept by whoever changes them, who holds the study; what workers hold at the moment is
-- counted, since leasing holds no study. A table of its own: narrow, so that a change is written in place.
create table study_tally (
    study_id      uuid primary key references study on delete cascade,
    -- Asked by the search; of these finished; of these completed.
    asked         integer not null default 0,
    finished      integer not null default 0,
    completed     integer not null default 0,
    -- Recorded as pruned, which the search never asked for.
    recorded      integer not null default 0,
    -- The completed trial with the shortest sustained screen; of two the one with the smaller hash.
    fastest_trial uuid,
    fastest_ns    double precision,
    -- The highest sustained rate of completed trials, of whatever stage, and of the final alone.
    best_tflops   double precision,
    final_tflops  double precision,
    check (finished between 0 and asked),
    check (completed between 0 and finished),
    check (recorded >= 0),
    check ((fastest_trial is null) = (fastest_ns is null))
) with (fillfactor = 50);

insert into study_tally (study_id, asked, finished, completed, recorded)
select s.id, count(t.id) filter (where not t.recorded), count(t.id) filter (where not t.recorded and t.state = 'finished'),
       count(t.id) filter (where t.outcome = 'completed'), count(t.id) filter (where t.recorded)
from study s
left join (select *, outcome is not distinct from 'pruned' and attempts = 0 as recorded from trial) t on t.study_id = s.id
group by s.id;

update study_tally y set best_tflops = m.best, final_tflops = m.best_final
from (
    select m.study_id, max(m.tflops) as best, max(m.tflops) filter (where m.stage = 'final') as best_final
    from measurement m join trial t on t.id = m.trial_id
    where m.mode = 'sustained' and t.outcome = 'completed'
    group by m.study_id) m
where m.study_id = y.study_id;

update study_tally y set fastest_trial = f.trial_id, fastest_ns = f.median_ns
from (
    select distinct on (m.study_id) m.study_id, m.trial_id, m.median_ns
    from (
        select distinct on (trial_id) study_id, trial_id, median_ns from measurement
        where trial_id is not null and mode = 'sustained' and stage = 'screen' order by trial_id, id desc) m
    join trial t on t.id = m.trial_id and t.outcome = 'completed'
    order by m.study_id, m.median_ns, t.config_hash) f
where f.study_id = y.study_id;

-- What the sweep of a study added up to, one row from the first report of a trial on.
create table sweep (
    study_id      uuid primary key references study on delete cascade,
    configs       integer not null check (configs >= 0),
    reported_at   timestamptz not null,
    busy_ns       bigint,
    spin_flush_ns bigint
) with (fillfactor = 50);

-- Who took part. A worker that was started again has another id and the same host.
create table sweep_device (
    study_id uuid not null references study on delete cascade,
    host     text not null,
    device   text not null,
    primary key (study_id, host, device)
);

-- For how long GPUs had nothing to do, by what their runners were at.
create table sweep_wait (
    study_id uuid not null references study on delete cascade,
    part     text not null,
    nanos    bigint not null,
    primary key (study_id, part)
) with (fillfactor = 50);

-- The first lease of a study is the first of these.
drop index lease_study_id_idx;
create index lease_by_grant on lease (study_id, granted_at);
create index lease_of_final on lease (study_id) where trial_id is null;

-- What a reported trial says of the sweep. What the check stopped ran on no device.
create view reported_attempt as
select l.id, l.study_id, coalesce(w.host, l.worker_id::text) as host, l.device, l.ended_at,
       t.grid_x is not null or t.outcome in ('launch', 'timeout', 'crash') as ran, t.times_ns,
       (extract(epoch from l.ended_at - (
           select f.granted_at from lease f where f.study_id = l.study_id and f.trial_id is not null
           order by f.granted_at limit 1)) * 1000000000)::bigint as since_start
from lease l join trial t on t.id = l.trial_id left join worker w on w.id = l.worker_id
where l.ending = 'reported';

-- For how long the GPU of a reported trial had nothing to do, by what its runner was at. A runner that is up waits for its
-- first request of a study since long before there was one. What a trial has on its account, from the start of the study to
-- its report, is no longer than that time: the rest is cut from that wait and from no other, because whatever else the
-- runner was at it was at for a trial of the study.
create view reported_wait as
select a.id, a.study_id, substr(w.key, length('gpuWait.') + 1) as part,
       case w.key when 'gpuWait.request' then greatest(0, least(w.value::bigint, a.since_start - (
               select coalesce(sum(o.value::bigint), 0) from jsonb_each_text(a.times_ns) o
               where o.key in ('gpuBusy', 'gpuSpinFlush') or starts_with(o.key, 'gpuWait.') and o.key <> 'gpuWait.request')))
           else w.value::bigint end::bigint as nanos
from reported_attempt a cross join lateral jsonb_each_text(a.times_ns) w
where starts_with(w.key, 'gpuWait.');

insert into sweep (study_id, configs, reported_at, busy_ns, spin_flush_ns)
select study_id, count(*) filter (where ran), max(ended_at), sum((times_ns ->> 'gpuBusy')::bigint)::bigint,
       sum((times_ns ->> 'gpuSpinFlush')::bigint)::bigint
from reported_attempt group by study_id;
insert into sweep_device select distinct study_id, host, device from reported_attempt;
insert into sweep_wait select study_id, part, sum(nanos)::bigint from reported_wait group by study_id, part;

-- Studies that no device has taken. A table with this one order: of the table study, Postgres would rather walk all that are
-- open by their age than look for the few of a kind.
create table study_queue (
    selector text not null,
    family   text not null,
    seq      bigint not null,
    study_id uuid not null unique references study on delete cascade,
    primary key (selector, family, seq)
);
insert into study_queue select selector, family, seq, id from study where state = 'queued';

create index study_on_testbed on study (testbed_id, seq) where state = 'running';

-- Whether the last study of a job has ended, and whether its last event was told.
create index study_open_of_job on study (job_id) where state in ('queued', 'running');
create index event_last on event (job_id) where terminal;

-- The newest final of each problem, family and testbed, in the order in which the best configs are listed.
create index study_finals on study (m, n, k, dtype, family, testbed_id, finished_at desc) where state = 'finished' and m is not null;
