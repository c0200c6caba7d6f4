-- Jobs that are not over: traces look for them every few seconds.
create index job_open on job (id) where finished_at is null;
