-- Workers that refused a task, as table refusal has them for studies; three of them end it.
create table task_refusal (
    task_id    uuid not null references gpu_task on delete cascade,
    worker_id  uuid not null,
    times      integer not null default 1 check (times > 0),
    refused_at timestamptz not null,
    primary key (worker_id, task_id)
);

create index on task_refusal (task_id);

alter table gpu_task drop column refusals;
