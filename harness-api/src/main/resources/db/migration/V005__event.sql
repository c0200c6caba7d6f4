-- Progress of a job. Ids of one job become visible in their order: a writer holds the row of the job until it commits.

create table event (
    id         bigint generated always as identity primary key,
    job_id     uuid not null references job on delete cascade,
    type       text not null,
    terminal   boolean not null,
    data       jsonb not null,
    created_at timestamptz not null
);

create index event_of_job on event (job_id, id);
