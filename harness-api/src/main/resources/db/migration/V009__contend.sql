-- The race before the final, the anchor that all trials of a study are timed beside, and what the GPU drew meanwhile.

alter table job add column finalists integer not null default 3 check (finalists >= 1);
alter table study add column finalists integer not null default 3 check (finalists >= 1);

-- Settled by the first lease; null where the family declares none, and where nothing is timed on a GPU.
alter table study add column anchor jsonb check (jsonb_typeof(anchor) = 'object');

-- Those who race for the final; how many reach it, the study says.
alter table final_run rename column finalists to contenders;

alter table measurement
    add column power_watts         double precision check (power_watts >= 0),
    add column temperature_celsius double precision,
    add column anchor_ratio        double precision check (anchor_ratio > 0),
    add column anchor_ratio_low    double precision check (anchor_ratio_low > 0),
    add column anchor_ratio_high   double precision check (anchor_ratio_high >= anchor_ratio_low),
    add column anchor_ratio_blocks integer check (anchor_ratio_blocks >= 1),
    add check ((anchor_ratio is null) = (anchor_ratio_low is null) and (anchor_ratio is null) = (anchor_ratio_high is null)
        and (anchor_ratio is null) = (anchor_ratio_blocks is null));

-- Arms of a final have measurements of the race too.
do $$
declare
    name text;
begin
    select conname into strict name from pg_constraint
    where conrelid = 'measurement'::regclass and contype = 'c' and pg_get_constraintdef(oid) like '%stage%arm_id%';
    execute format('alter table measurement drop constraint %I', name);
end
$$;
alter table measurement add check ((stage = 'screen') = (arm_id is null));

alter table final_block
    add column stage               text not null default 'final' check (stage in ('contend', 'final')),
    add column question            text not null default 'steady_state' check (question in ('same_clock', 'steady_state')),
    add column position            integer not null default 0 check (position >= 0),
    add column power_watts         double precision check (power_watts >= 0),
    add column temperature_celsius double precision,
    add column throttle_reasons    bigint not null default 0,
    drop constraint final_block_pkey,
    add primary key (arm_id, stage, question, mode, index);
alter table final_block alter column stage drop default, alter column question drop default, alter column position drop default,
    alter column throttle_reasons drop default;

-- Blocks that do not count for any arm, one row for each reason.
create table final_discard (
    id       bigint generated always as identity primary key,
    study_id uuid not null references final_run on delete cascade,
    stage    text not null check (stage in ('contend', 'final')),
    question text not null check (question in ('same_clock', 'steady_state')),
    mode     text not null check (mode in ('sustained', 'cold')),
    index    integer not null check (index >= 0),
    reason   text not null check (reason <> '')
);

create index final_discard_of_study on final_discard (study_id);
create trigger final_discard_is_written_once before update on final_discard for each row execute function refuse_change();
