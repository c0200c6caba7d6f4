-- Leases of tasks stand beside those of studies: one table says who has which work, by one name of the work.

drop view if exists v_worker;

alter table lease alter column study_id drop not null;
alter table lease add column task_id uuid references gpu_task on delete cascade;
alter table lease add check ((study_id is null) <> (task_id is null) and (trial_id is null or study_id is not null));
alter table lease add column work_id uuid not null generated always as (coalesce(trial_id, task_id, study_id)) stored;

-- Only the last lease of a task is known.
insert into lease (id, task_id, worker_id, device, fence, attempt, begun, granted_at, expires_at, ended_at, ending)
select lease_id, id, worker_id, device, fence, greatest(attempts, 1), begun, began, greatest(expires_at, began + interval '15 s'),
    case when state <> 'leased' then coalesce(finished_at, began) end,
    case state when 'leased' then null when 'cancelled' then 'cancelled' when 'queued' then 'undelivered' else 'reported' end
from (select *, coalesce(leased_at, created_at) as began from gpu_task where lease_id is not null) held;

-- No work is ever held by two workers.
drop index lease_one_per_trial, lease_one_per_final;
create unique index lease_one_per_work on lease (work_id) where ended_at is null;
create index lease_lost on lease (work_id) where ending = 'expired';
create index lease_of_task on lease (task_id, fence) where task_id is not null;
create index lease_reported_task on lease (worker_id, device, ended_at) where ending = 'reported' and task_id is not null;
create index gpu_task_leased on gpu_task (id) where state = 'leased';

alter table gpu_task drop column lease_id, drop column worker_id, drop column device, drop column begun,
    drop column expires_at, drop column leased_at;
