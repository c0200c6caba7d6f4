-- A study that could not be carried out has failed, and a job of which every study has: neither is finished.
do $$
declare
    old record;
begin
    for old in
        select conrelid::regclass as owner, conname from pg_constraint
        where conrelid in ('job'::regclass, 'study'::regclass) and contype = 'c'
            and pg_get_constraintdef(oid) like '%finished%'
    loop
        execute format('alter table %s drop constraint %I', old.owner, old.conname);
    end loop;
end
$$;

update study set state = 'failed' where state = 'finished' and error is not null;
update job j set state = 'failed'
where state = 'finished' and not exists (select from study s where s.job_id = j.id and s.state <> 'failed');

alter table job
    add check (state in ('queued', 'running', 'finished', 'failed', 'cancelled')),
    add check ((state in ('finished', 'failed', 'cancelled')) = (finished_at is not null));
alter table study
    add check (state in ('queued', 'running', 'finished', 'failed', 'cancelled')),
    add check ((state in ('finished', 'failed', 'cancelled')) = (finished_at is not null)),
    add check ((state = 'failed') = (error is not null));
