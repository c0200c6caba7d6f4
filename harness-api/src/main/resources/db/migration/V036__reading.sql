-- What a device reported last: its clock, power and temperature are those of that trial or final.
create index lease_reported on lease (worker_id, device, ended_at) where ending = 'reported';
