-- One config evaluated once. A retry is another lease of the same trial.

create sequence trial_finish;

create table trial (
    id           uuid primary key,
    study_id     uuid not null references study on delete cascade,
    ordinal      integer not null check (ordinal >= 0),
    family       text not null,
    config       jsonb not null check (jsonb_typeof(config) = 'object'),
    config_hash  text not null check (length(config_hash) = 64),
    state        text not null check (state in ('queued', 'leased', 'finished')),
    outcome      text check (outcome in ('completed', 'pruned', 'unassembled', 'build', 'compile', 'spill', 'launch',
        'timeout', 'crash', 'mismatch', 'hazard', 'noise', 'quarantined', 'cancelled', 'infrastructure')),
    attempts     integer not null default 0 check (attempts >= 0),
    fence        bigint not null default 0 check (fence >= attempts),
    error_ratio  double precision check (error_ratio >= 0),
    registers    integer check (registers >= 0),
    spill_bytes  integer check (spill_bytes >= 0),
    shared_bytes integer check (shared_bytes >= 0),
    ptx_hash     text,
    cubin_hash   text,
    grid_x       integer check (grid_x >= 1),
    cluster_size integer check (cluster_size >= 1),
    threads      integer check (threads >= 1),
    evidence     jsonb,
    times_ns     jsonb,
    log          text,
    created_at   timestamptz not null,
    finished_at  timestamptz,
    -- The order in which trials were finished: what the search reads.
    finish_seq   bigint unique,
    unique (study_id, ordinal),
    unique (study_id, config_hash),
    check ((state = 'finished') = (outcome is not null)),
    check ((state = 'finished') = (finished_at is not null)),
    check ((state = 'finished') = (finish_seq is not null))
);

-- The queue: claimed in this order with for update skip locked, without sorting the backlog.
create index trial_queue on trial (study_id, ordinal) where state = 'queued';
create index trial_open on trial (study_id) where state <> 'finished';

-- The last comparison of a study on a real GPU: its best trials beside the peers.
create table final_run (
    study_id    uuid primary key references study on delete cascade,
    state       text not null check (state in ('queued', 'leased', 'finished')),
    attempts    integer not null default 0 check (attempts >= 0),
    fence       bigint not null default 0 check (fence >= attempts),
    finalists   jsonb not null check (jsonb_typeof(finalists) = 'array'),
    log         text,
    created_at  timestamptz not null,
    finished_at timestamptz,
    check ((state = 'finished') = (finished_at is not null))
);

-- One row for each lease of a trial or (trial_id null) of a final: an attempt. The fence grows with each lease of the same work.
create table lease (
    id         uuid primary key,
    study_id   uuid not null references study on delete cascade,
    trial_id   uuid references trial on delete cascade,
    worker_id  uuid not null,
    device     text not null,
    fence      bigint not null check (fence >= 1),
    attempt    integer not null check (attempt >= 1),
    granted_at timestamptz not null,
    expires_at timestamptz not null,
    ended_at   timestamptz,
    ending     text check (ending in ('reported', 'refused', 'expired', 'cancelled')),
    check ((ended_at is null) = (ending is null)),
    check (expires_at > granted_at)
);

-- No work is ever held by two workers.
create unique index lease_one_per_trial on lease (trial_id) where ended_at is null and trial_id is not null;
create unique index lease_one_per_final on lease (study_id) where ended_at is null and trial_id is null;
create index lease_live on lease (expires_at) where ended_at is null;
create index lease_of_trial on lease (trial_id);
create index lease_of_study on lease (study_id) where ended_at is null;
