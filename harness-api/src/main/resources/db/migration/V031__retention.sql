-- What is deleted, and when. Results outlive the raw evidence that they were made of.
alter table study add column evidence_deleted_at timestamptz;

-- What is over, by its age.
create index job_over on job (finished_at) where finished_at is not null;
create index study_evidence on study (finished_at) where finished_at is not null and evidence_deleted_at is null;

-- Who deletes a trial, or an arm, looks for what refers to it.
create index final_arm_of_trial on final_arm (trial_id) where trial_id is not null;
create index arm_ratio_of_peer on arm_ratio (peer_id);
