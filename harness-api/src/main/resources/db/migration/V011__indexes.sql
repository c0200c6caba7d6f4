-- What is asked of leases that have ended, of arms and of times is not found by the indexes of what is open.
create index on lease (study_id);
create index on lease (ended_at) where ended_at is not null;
create index on measurement (arm_id) where arm_id is not null;
create index on trial (finished_at) where finished_at is not null;
