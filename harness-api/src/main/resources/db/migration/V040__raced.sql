-- When the race of a final was over, as its worker says; null before, and where another worker begins anew.
alter table final_run add column raced_at timestamptz;
