-- What numbers belong to, and who brings devices.

create table testbed (
    id           uuid primary key,
    kind         text not null check (kind in ('cuda', 'emulated', 'simulated')),
    device       text not null,
    driver       text not null,
    assembler    text not null,
    sm_count     integer not null check (sm_count >= 1),
    clock_policy text not null,
    created_at   timestamptz not null,
    unique (kind, device, driver, assembler, sm_count, clock_policy)
);

create table worker (
    id            uuid primary key,
    host          text not null,
    pid           bigint not null,
    families      jsonb not null check (jsonb_typeof(families) = 'object'),
    registered_at timestamptz not null,
    last_seen_at  timestamptz not null
);

create index worker_last_seen on worker (last_seen_at);

create table worker_device (
    worker_id  uuid not null references worker on delete cascade,
    label      text not null,
    testbed_id uuid not null references testbed,
    primary key (worker_id, label)
);
