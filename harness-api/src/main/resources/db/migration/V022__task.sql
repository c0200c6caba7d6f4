-- Work for a GPU that is no part of a study, with the lease of whoever is at it. What is asked and answered is the kind's own.

create table gpu_task (
    id           uuid primary key,
    seq          bigint generated always as identity,
    kind         text not null,
    selector     text not null,
    family       text not null,
    request      jsonb not null check (jsonb_typeof(request) = 'object'),
    submitted_by text,
    state        text not null check (state in ('queued', 'leased', 'finished', 'failed', 'cancelled')),
    attempts     integer not null default 0 check (attempts >= 0),
    refusals     integer not null default 0 check (refusals >= 0),
    fence        bigint not null default 0 check (fence >= attempts),
    -- The last lease. It stays when the work is over, so that a report that is sent twice counts once.
    lease_id     uuid unique,
    worker_id    uuid,
    device       text,
    begun        boolean not null default false,
    expires_at   timestamptz,
    testbed_id   uuid references testbed,
    result       jsonb,
    error        text,
    created_at   timestamptz not null,
    finished_at  timestamptz,
    check ((state = 'leased') = (expires_at is not null)),
    check ((state in ('finished', 'failed', 'cancelled')) = (finished_at is not null)),
    check ((state = 'finished') = (result is not null)),
    check ((state = 'failed') = (error is not null))
);

create index gpu_task_queue on gpu_task (selector, seq) where state = 'queued';
create index gpu_task_live on gpu_task (expires_at) where state = 'leased';
create index gpu_task_of_kind on gpu_task (kind, seq);
create index on gpu_task (testbed_id);
