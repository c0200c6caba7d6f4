-- What users submit: a job is one study per problem and testbed.

create table job (
    id             uuid primary key,
    seq            bigint generated always as identity unique,
    name           text not null,
    state          text not null check (state in ('queued', 'running', 'finished', 'cancelled')),
    family         text not null,
    restriction    jsonb not null check (jsonb_typeof(restriction) = 'object'),
    strategy       text not null,
    trial_budget   integer not null check (trial_budget >= 1),
    seconds_budget integer check (seconds_budget >= 1),
    seed           bigint not null,
    selector       text not null,
    created_at     timestamptz not null,
    finished_at    timestamptz,
    check ((state in ('finished', 'cancelled')) = (finished_at is not null))
);

-- Written in the transaction that makes the job: either both are there or neither.
create table idempotency_key (
    key         text primary key check (length(key) between 1 and 255),
    fingerprint text not null,
    job_id      uuid not null references job on delete cascade,
    created_at  timestamptz not null
);

create index idempotency_key_created on idempotency_key (created_at);

create table study (
    id             uuid primary key,
    seq            bigint generated always as identity unique,
    job_id         uuid not null references job on delete cascade,
    ordinal        integer not null check (ordinal >= 0),
    problem        jsonb not null,
    -- The short form of a plain GEMM; null for a grouped, batched, mixed or contended problem.
    m              integer check (m >= 1),
    n              integer check (n >= 1),
    k              integer check (k >= 1),
    dtype          text,
    family         text not null,
    restriction    jsonb not null,
    strategy       text not null,
    trial_budget   integer not null check (trial_budget >= 1),
    seconds_budget integer check (seconds_budget >= 1),
    seed           bigint not null,
    selector       text not null,
    state          text not null check (state in ('queued', 'running', 'finished', 'cancelled')),
    -- Bound by the first lease.
    testbed_id     uuid references testbed,
    family_build   text,
    space_hash     text,
    space          jsonb,
    started_at     timestamptz,
    -- The strategy has no further config, or the time is up.
    exhausted      boolean not null default false,
    refusals       integer not null default 0 check (refusals >= 0),
    accepted       boolean not null default false,
    error          text,
    finished_at    timestamptz,
    unique (job_id, ordinal),
    check ((m is null) = (n is null) and (m is null) = (k is null) and (m is null) = (dtype is null)),
    check ((testbed_id is null) = (space_hash is null)
        and (testbed_id is null) = (space is null)
        and (testbed_id is null) = (started_at is null)
        and (testbed_id is null) = (family_build is null)),
    check (state <> 'running' or testbed_id is not null),
    check ((state in ('finished', 'cancelled')) = (finished_at is not null))
);

create index study_open on study (seq) where state in ('queued', 'running');
create index study_shape on study (m, n, k, dtype);
