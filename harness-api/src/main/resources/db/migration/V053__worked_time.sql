-- How long devices have worked on a study that has a limit of time, counted whenever one of its leases ends. The time since
-- the last count is that of the leases that live.
create table worked_time (
    study_id   uuid primary key references study on delete cascade,
    worked_ns  bigint not null check (worked_ns >= 0),
    counted_at timestamptz not null
) with (fillfactor = 50);

-- The leases of a device by their ends; those that live are the last ones.
drop index lease_reported;
create index lease_of_device on lease (worker_id, device, ended_at);
