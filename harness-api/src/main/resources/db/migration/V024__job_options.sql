-- What a job asks for is one document: an option more needs no column.
drop view if exists v_attempt, v_final_arm, v_measurement, v_trial, v_study, v_job, v_worker;
alter table job add column options jsonb;
update job set options = jsonb_build_object(
    'family', family, 'restriction', restriction, 'strategy', strategy,
    'budget', jsonb_build_object('trials', trial_budget, 'seconds', seconds_budget, 'finalists', finalists),
    'seed', seed, 'device', selector, 'check', check_first);
alter table job
    alter column options set not null,
    drop column family, drop column restriction, drop column strategy, drop column trial_budget,
    drop column seconds_budget, drop column finalists, drop column seed, drop column selector, drop column check_first;
