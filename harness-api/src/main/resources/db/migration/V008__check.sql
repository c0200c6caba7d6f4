-- What the emulator said of kernel texts. Known once for each text and build of the emulator; only what is settled is kept.

create table kernel_check (
    ptx_hash   text not null check (ptx_hash ~ '^[0-9a-f]{64}$'),
    emulator   text not null check (emulator ~ '^[0-9a-f]{64}$'),
    verdict    text not null check (verdict in ('proved', 'refuted')),
    outcome    text not null check (outcome in ('completed', 'hazard', 'mismatch')),
    -- What was asked for, and the small problem with the same tails that was run.
    m          integer not null check (m >= 1),
    n          integer not null check (n >= 1),
    k          integer not null check (k >= 1),
    run_m      integer not null check (run_m >= 1),
    run_n      integer not null check (run_n >= 1),
    run_k      integer not null check (run_k >= 1),
    sms        integer not null check (sms >= 1),
    seed       bigint not null,
    seeds      integer not null check (seeds >= 1),
    steps      bigint not null check (steps >= 0),
    error_ratio double precision check (error_ratio >= 0),
    finding    text not null,
    worker_id  uuid not null,
    checked_at timestamptz not null,
    primary key (ptx_hash, emulator),
    check ((verdict = 'proved') = (outcome = 'completed')),
    check (verdict = 'proved' or finding <> '')
);

alter table job add column check_first boolean not null default false;
alter table study add column check_first boolean not null default false;

-- What the emulator said of the text of a trial, whether it was run for it or known before.
alter table trial add column checked jsonb check (jsonb_typeof(checked) = 'object');
