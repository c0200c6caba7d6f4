-- What a device reported last may be a comparison too: its clock, power and temperature are in the blocks.
create index gpu_task_reported on gpu_task (worker_id, device, finished_at) where state = 'finished';

-- Retention looks at old checks.
create index on kernel_check (checked_at);
