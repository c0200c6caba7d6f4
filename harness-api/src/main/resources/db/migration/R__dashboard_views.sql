-- What dashboards read: plain columns, each row with the kind of its testbed, which is there once something ran on it. The role is for them; give it a login with
--     alter role tilewright_reader login password '...'

drop view if exists v_final, v_attempt, v_final_arm, v_measurement, v_trial, v_study, v_job, v_worker, v_gate_case, v_gate_run;

create view v_study as
select s.id as study_id, s.seq as study_seq, s.job_id, j.name as job_name, s.m, s.n, s.k, s.dtype,
       case when s.m is null then null else s.m || 'x' || s.n || 'x' || s.k end as shape,
       s.family, (coalesce(s.own_options, j.options) -> 'budget' ->> 'trials')::integer as trial_budget, s.state, s.error,
       t.kind as testbed_kind, t.device as testbed_device, t.driver as testbed_driver, t.assembler as testbed_assembler, t.sm_count,
       s.finished_at
from study s
join job j on j.id = s.job_id
left join testbed t on t.id = s.testbed_id and t.ran_at is not null;

create view v_trial as
select r.id as trial_id, r.study_id, r.ordinal, r.config, r.config ->> 'scheduler' as scheduler, r.state, r.outcome,
       r.attempts, r.error_ratio, r.registers, r.shared_bytes,
       (r.evidence -> 'tilesPerSm')::jsonb as tiles_per_sm, (r.evidence ->> 'idleTailFraction')::double precision as idle_tail_fraction,
       t.kind as testbed_kind,
       last.stage as last_stage, last.median_ns, last.ci_low_ns, last.ci_high_ns, last.tflops,
       r.finished_at, r.finish_seq
from trial r
join study s on s.id = r.study_id
left join testbed t on t.id = s.testbed_id and t.ran_at is not null
left join lateral (
    select m.stage, m.median_ns, m.ci_low_ns, m.ci_high_ns, m.tflops
    from measurement m
    where m.trial_id = r.id and m.mode = 'sustained' and r.outcome is distinct from 'implausible'
    order by array_position(array['final', 'contend', 'screen'], m.stage), m.id desc
    limit 1) last on true;

create view v_final_arm as
select a.id as arm_id, a.study_id, a.name, a.family, a.config, a.trial_id is null as peer, a.outcome,
       m.blocks, m.median_ns, m.ci_low_ns, m.ci_high_ns, m.tflops, t.kind as testbed_kind
from final_arm a
join study s on s.id = a.study_id
left join testbed t on t.id = s.testbed_id and t.ran_at is not null
left join measurement m on m.arm_id = a.id and m.mode = 'sustained' and m.stage = 'final' and a.outcome <> 'implausible';

-- The fastest of our own kernels in each final on a real GPU, beside the fastest peer of the same run. Who left the final early
-- has fewer blocks, and is behind those that stayed.
create view v_final as
select s.study_id, s.shape, s.m, s.n, s.k, s.dtype, s.testbed_device, s.testbed_driver, s.finished_at,
       w.config, w.config ->> 'scheduler' as scheduler, w.tflops, w.median_ns,
       p.name as best_peer, p.tflops as peer_tflops, r.value as ratio, r.low as ratio_low, r.high as ratio_high
from v_study s
join lateral (
    select * from v_final_arm a where a.study_id = s.study_id and not a.peer and a.outcome = 'completed' and a.tflops is not null
    order by a.blocks desc, a.median_ns, a.name limit 1) w on true
left join lateral (
    select * from v_final_arm a where a.study_id = s.study_id and a.peer and a.outcome = 'completed' and a.tflops is not null
    order by a.blocks desc, a.median_ns, a.name limit 1) p on true
left join arm_ratio r on r.arm_id = w.arm_id and r.peer_id = p.arm_id and r.mode = 'sustained'
where s.testbed_kind = 'cuda' and s.state = 'finished' and s.m is not null;

create view v_attempt as
select l.ended_at, l.ending from lease l where l.study_id is not null;

create view v_worker as
select w.host, w.pid, d.label as device, t.kind as testbed_kind, t.device as testbed_device, t.driver as testbed_driver,
       t.assembler as testbed_assembler, t.sm_count, w.last_seen_at,
       (select count(*) from lease l where l.worker_id = w.id and l.device = d.label and l.ended_at is null) as live_leases
from worker w
left join worker_device d on d.worker_id = w.id
left join testbed t on t.id = d.testbed_id;

create view v_gate_run as
select r.id as run_id, r.gate, r.branch, r.commit, r.state, r.verdict, r.reason, r.error, r.gpu_seconds, r.submitted_by,
       t.kind as testbed_kind, t.device as testbed_device, r.created_at, r.finished_at
from gate_run r
left join testbed t on t.id = r.testbed_id;

create view v_gate_case as
select c.run_id, c.ordinal, c.name as case_name, c.sentinel, c.verdict, c.reason, (c.effect ->> 'percent')::double precision as percent,
       (c.effect ->> 'low')::double precision as low, (c.effect ->> 'high')::double precision as high,
       c.waiver is not null as waived, r.gate, r.branch, r.commit, t.device as testbed_device, r.finished_at
from gate_case c
join gate_run r on r.id = c.run_id
left join testbed t on t.id = r.testbed_id;

-- The role reads these views, and no table: hashes of tokens, texts of kernels and keys of users are in tables.
do $$
declare
    view name;
begin
    if not exists (select from pg_roles where rolname = 'tilewright_reader') then
        create role tilewright_reader nologin;
    end if;
    execute format('grant usage on schema %I to tilewright_reader', current_schema());
    execute format('revoke all on all tables in schema %I from tilewright_reader', current_schema());
    for view in select viewname from pg_views where schemaname = current_schema() and viewname like 'v\_%' loop
        execute format('grant select on %I.%I to tilewright_reader', current_schema(), view);
    end loop;
exception
    when insufficient_privilege then
        raise notice 'no role tilewright_reader: this database user may not create or grant it';
    when duplicate_object then
        raise notice 'role tilewright_reader is being created by another database of this cluster';
end
$$;
