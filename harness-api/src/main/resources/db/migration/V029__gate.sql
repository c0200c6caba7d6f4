-- Gates: two kernels of each case beside each other on one GPU, and whether the new one is slower than may be.

-- A key belongs to a request, whatever it made.
alter table idempotency_key add column kind text not null default 'job';
alter table idempotency_key alter column kind drop default;
alter table idempotency_key drop constraint idempotency_key_job_id_fkey;
alter table idempotency_key rename column job_id to made_id;

-- A task may be for one GPU alone, which a worker that was started anew offers again. Who is paid by the second asks how
-- long it was held.
alter table gpu_task add column pinned_host text;
alter table gpu_task add column pinned_device text;
alter table gpu_task add column leased_at timestamptz;
alter table gpu_task add check ((pinned_host is null) = (pinned_device is null));

-- A comparison says when it ends, in which process, and whether its texts are proved; its result says what is doubted.
update gpu_task
set request = request || jsonb '{"stop": {"looks": [20, 40, 80, 160], "thresholds": [-0.005, 0.005], "errorAbove": 0.005,
    "errorBelow": 0.005}, "freshProcess": false, "proved": false}'
where request ->> 'type' = 'compare' and not jsonb_exists(request, 'stop');
update gpu_task set result = result || jsonb '{"doubts": [], "gpuSeconds": 0}'
where result ->> 'type' = 'compared' and not jsonb_exists(result, 'doubts');

create table gate_run (
    id             uuid primary key,
    seq            bigint generated always as identity unique,
    -- Counts changes: who decided on what is no longer so writes nothing.
    version        integer not null default 0,
    gate           text not null,
    commit         text,
    branch         text,
    selector       text not null,
    seed           bigint not null,
    budget_seconds double precision check (budget_seconds > 0),
    submitted_by   text not null,
    state          text not null check (state in ('queued', 'running', 'finished', 'failed', 'cancelled')),
    -- The GPU that has it, once one has.
    host           text,
    device         text,
    testbed_id     uuid references testbed,
    -- Since when nobody offers a GPU that could go on with it.
    alone_since    timestamptz,
    gpu_seconds    double precision not null default 0 check (gpu_seconds >= 0),
    decision       text not null,
    verdict        text,
    reason         text,
    error          text,
    created_at     timestamptz not null,
    finished_at    timestamptz,
    check ((host is null) = (device is null)),
    check ((state in ('finished', 'failed', 'cancelled')) = (finished_at is not null)),
    check ((state = 'finished') = (verdict is not null)),
    check ((verdict is null) = (reason is null)),
    check ((state = 'failed') = (error is not null))
);

create index gate_run_open on gate_run (seq) where state in ('queued', 'running');
create index gate_run_of_gate on gate_run (gate, seq desc);
create index on gate_run (testbed_id);

-- What is asked is written once. Sentinels are cases of the service itself.
create table gate_case (
    run_id    uuid not null references gate_run on delete cascade,
    ordinal   integer not null check (ordinal >= 0),
    name      text not null,
    sentinel  text check (sentinel in ('equal', 'slowed')),
    spec      jsonb not null check (jsonb_typeof(spec) = 'object'),
    verdict   text,
    reason    text,
    effect    jsonb,
    waiver    jsonb,
    retune    text,
    primary key (run_id, ordinal),
    check ((verdict is null) = (reason is null))
);

-- Error rates are those of all sentinels of a GPU.
create index gate_case_sentinel on gate_case (run_id) where sentinel is not null;

-- One task of a case. Its blocks are taken from the queue once, in the transaction that marks them as taken.
create table gate_stage (
    run_id    uuid not null,
    ordinal   integer not null,
    number    integer not null check (number in (1, 2)),
    task_id   uuid not null unique,
    seed      bigint not null,
    taken_at  timestamptz,
    seconds   double precision check (seconds >= 0),
    verdict   text,
    reason    text,
    effect    jsonb,
    counted   integer check (counted >= 0),
    -- Of a launch of the baseline, in the middle of its blocks.
    baseline_ns double precision check (baseline_ns > 0),
    -- Column after column, which packs better than row after row.
    blocks    jsonb,
    discards  jsonb,
    doubts    jsonb,
    gpu       text,
    candidate jsonb,
    baseline  jsonb,
    log       text,
    primary key (run_id, ordinal, number),
    foreign key (run_id, ordinal) references gate_case on delete cascade,
    check ((taken_at is null) = (verdict is null)),
    check ((taken_at is null) = (blocks is null))
);

create table gate_waiver (
    id         uuid primary key,
    seq        bigint generated always as identity,
    gate       text not null,
    case_name  text not null,
    cubin_hash text not null check (cubin_hash ~ '^[0-9a-f]{64}$'),
    author     text not null,
    reason     text not null,
    created_at timestamptz not null,
    expires_at timestamptz not null check (expires_at > created_at)
);

create index gate_waiver_of_gate on gate_waiver (gate, case_name, cubin_hash);

create table gate_schedule (
    gate       text primary key,
    line       text not null,
    request    jsonb not null check (jsonb_typeof(request) = 'object'),
    author     text not null,
    next_at    timestamptz not null,
    -- What came of the last time: a run, or why there is none.
    last_at    timestamptz,
    last_run   uuid,
    last_error text
);
