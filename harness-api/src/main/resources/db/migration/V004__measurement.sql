-- Evidence: written once, never changed.

create table final_arm (
    id          uuid primary key,
    study_id    uuid not null references final_run on delete cascade,
    name        text not null,
    trial_id    uuid references trial on delete cascade,
    family      text not null,
    config      jsonb not null check (jsonb_typeof(config) = 'object'),
    outcome     text not null check (outcome in ('completed', 'pruned', 'unassembled', 'build', 'compile', 'spill', 'launch',
        'timeout', 'crash', 'mismatch', 'hazard', 'noise', 'quarantined', 'cancelled', 'infrastructure')),
    error_ratio double precision check (error_ratio >= 0),
    log         text not null,
    unique (study_id, name)
);

-- Of a trial, of an arm of a final, or of both: a finalist's measurement belongs to its trial too.
create table measurement (
    id           bigint generated always as identity primary key,
    study_id     uuid not null references study on delete cascade,
    trial_id     uuid references trial on delete cascade,
    arm_id       uuid references final_arm on delete cascade,
    mode         text not null check (mode in ('sustained', 'cold')),
    stage        text not null check (stage in ('screen', 'contend', 'final')),
    blocks       integer not null check (blocks >= 1),
    launches     integer not null check (launches >= blocks),
    median_ns    double precision not null check (median_ns > 0),
    ci_low_ns    double precision,
    ci_high_ns   double precision,
    tflops       double precision not null check (tflops > 0),
    sm_clock_mhz double precision,
    created_at   timestamptz not null,
    check (trial_id is not null or arm_id is not null),
    check ((stage = 'final') = (arm_id is not null))
);

create index measurement_of_trial on measurement (trial_id);
create index measurement_of_study on measurement (study_id);

create table final_block (
    arm_id       uuid not null references final_arm on delete cascade,
    mode         text not null check (mode in ('sustained', 'cold')),
    index        integer not null check (index >= 0),
    launch_ns    double precision not null check (launch_ns > 0),
    sm_clock_mhz double precision,
    primary key (arm_id, mode, index)
);

create table arm_ratio (
    arm_id  uuid not null references final_arm on delete cascade,
    peer_id uuid not null references final_arm on delete cascade,
    mode    text not null check (mode in ('sustained', 'cold')),
    value   double precision not null check (value > 0),
    low     double precision not null check (low > 0),
    high    double precision not null check (high >= low),
    blocks  integer not null check (blocks >= 1),
    primary key (arm_id, peer_id, mode),
    check (arm_id <> peer_id)
);

create function refuse_change() returns trigger language plpgsql as $$
begin
    raise exception 'rows of % are written once', tg_table_name;
end
$$;

create trigger measurement_is_written_once before update on measurement for each row execute function refuse_change();
create trigger final_block_is_written_once before update on final_block for each row execute function refuse_change();
create trigger arm_ratio_is_written_once before update on arm_ratio for each row execute function refuse_change();
