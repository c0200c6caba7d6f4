-- Evidence is read whole far more often than a part of it: to write 64 of them out took Postgres 2.4 ms as jsonb.
drop view if exists v_attempt, v_final_arm, v_measurement, v_trial;
alter table trial alter column evidence type json using evidence::json;
