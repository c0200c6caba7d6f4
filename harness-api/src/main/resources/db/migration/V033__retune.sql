-- Whether tuning a failing case again recovers it: a document that is moved on after the verdict, in place of a sentence.
alter table gate_case alter column retune type jsonb
    using case when retune is not null then jsonb_build_object('state', 'unknown', 'reason', retune) end;

alter table gate_run add column retune_seconds integer check (retune_seconds > 0);
-- Whether a case of a run with a verdict is tuned again.
alter table gate_run add column retuning boolean not null default false;
alter table gate_run add check (not retuning or state = 'finished');
create index gate_run_retuning on gate_run (seq) where retuning;

-- 3: the kernel that was found, beside the baseline.
alter table gate_stage drop constraint gate_stage_number_check;
alter table gate_stage add check (number in (1, 2, 3));
