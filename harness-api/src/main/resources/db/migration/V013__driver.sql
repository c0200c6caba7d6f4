-- The search leaves the lock of the study (ADR 0009): who drives a study, and until when it is believed.
alter table study add column driven_by uuid;
alter table study add column driven_until timestamptz;

-- No number of trials: the study stops by itself.
alter table study alter column trial_budget drop not null;
alter table job alter column trial_budget drop not null;

-- A restriction says whether it is one of the default or of the full space.
update study set restriction = jsonb_build_object('values', restriction, 'full', true);
update job set restriction = jsonb_build_object('values', restriction, 'full', true);

create index study_running on study (seq) where state = 'running';
