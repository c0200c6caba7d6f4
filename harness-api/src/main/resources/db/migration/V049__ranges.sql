-- Problems for any number of rows: a job has studies for each, phase by phase, and at last a table of kernels.
create table job_range (
    job_id   uuid not null references job on delete cascade,
    ordinal  integer not null check (ordinal >= 0),
    -- A RangedProblem.
    problem  jsonb not null,
    phase    text not null check (phase in ('search', 'finds', 'crossings', 'checks', 'over')),
    -- The table of kernels; null before the checks begin, and where there is none.
    kernels  jsonb,
    error    text check (error is null or phase = 'over'),
    primary key (job_id, ordinal)
);

create index job_range_open on job_range (job_id) where phase <> 'over';

-- The range that a study serves, with its phase: {range, phase}; null of a study of one number of rows.
alter table study add column of_range jsonb;
-- Options of a study that has others than its job; null where it has those of the job.
alter table study add column own_options jsonb;
create index study_of_range on study (job_id) where of_range is not null;
