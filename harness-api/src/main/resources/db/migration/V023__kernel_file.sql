-- Texts, cubins and launches of kernels that were tried, each once by the hash of its content.

create table kernel_file (
    hash       text primary key check (hash ~ '^[0-9a-f]{64}$'),
    bytes      integer not null check (bytes >= 0),
    gzip       bytea not null,
    created_at timestamptz not null
);

-- It is packed already.
alter table kernel_file alter column gzip set storage external;

-- Text and cubin of a trial are found by the hashes that it has. Its launch is of its problem and its GPU.
create table trial_launch (
    trial_id    uuid primary key references trial on delete cascade,
    launch_hash text not null references kernel_file
);

create index on trial_launch (launch_hash);
