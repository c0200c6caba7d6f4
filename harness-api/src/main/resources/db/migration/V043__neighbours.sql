-- Other processes that were on the GPU during a final, or why they cannot be observed: a line for each.
alter table final_run add column neighbours jsonb not null default '[]';
