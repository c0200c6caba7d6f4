-- How far the trace of a job was exported: the last of its events whose spans a collector has taken. There are rows only
-- where traces are on.
create table job_trace (
    job_id   uuid primary key references job on delete cascade,
    event_id bigint not null default 0,
    -- The last event of the job is exported.
    ended    boolean not null default false
);

create index job_trace_open on job_trace (job_id) where not ended;
