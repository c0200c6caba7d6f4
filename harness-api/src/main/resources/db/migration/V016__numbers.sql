-- SHA-256 of the token by which a worker is known. One that was registered before there were any registers anew.
alter table worker add column token_hash text unique check (token_hash ~ '^[0-9a-f]{64}$');

-- Times in which the GPU cannot have done the work are kept, and what has them ends so.
alter table trial drop constraint trial_outcome_check;
alter table trial add constraint trial_outcome_check check (outcome in ('completed', 'pruned', 'unassembled', 'build', 'compile',
    'spill', 'launch', 'timeout', 'crash', 'mismatch', 'hazard', 'noise', 'implausible', 'quarantined', 'cancelled',
    'infrastructure'));
alter table final_arm drop constraint final_arm_outcome_check;
alter table final_arm add constraint final_arm_outcome_check check (outcome in ('completed', 'pruned', 'unassembled', 'build',
    'compile', 'spill', 'launch', 'timeout', 'crash', 'mismatch', 'hazard', 'noise', 'implausible', 'quarantined', 'cancelled',
    'infrastructure'));
