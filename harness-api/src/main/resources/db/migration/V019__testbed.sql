-- A testbed is one that somebody ran something on. Before, it is what a worker says of its device, and goes with the worker.
alter table testbed add column ran_at timestamptz;
update testbed t set ran_at = s.started_at
from (
    select s.testbed_id, min(s.started_at) as started_at from study s
    where s.testbed_id is not null and (exists (select from sweep w where w.study_id = s.id and w.configs > 0)
        or exists (select from final_arm a where a.study_id = s.id and a.outcome = 'completed'))
    group by s.testbed_id) s
where s.testbed_id = t.id;

-- Whether anything refers to one.
create index on worker_device (testbed_id);
create index on study (testbed_id);
