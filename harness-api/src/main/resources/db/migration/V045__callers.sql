-- A key is its caller's own: two users may send the same one, and neither learns what the other's made.
alter table idempotency_key add column caller text;
update idempotency_key set caller = coalesce(
    (select submitted_by from job where id = made_id), (select submitted_by from gate_run where id = made_id), '(anybody)');
alter table idempotency_key alter column caller set not null;
alter table idempotency_key drop constraint idempotency_key_pkey;
alter table idempotency_key add primary key (caller, key);

-- Retention asks, of each stored file and each check, whether a trial still has it.
create index trial_of_ptx on trial (ptx_hash) where ptx_hash is not null;
create index trial_of_cubin on trial (cubin_hash) where cubin_hash is not null;
