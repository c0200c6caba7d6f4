-- A study may do without a final: its screens are what it is for.

alter table job drop constraint job_finalists_check, add constraint job_finalists_check check (finalists >= 0);
alter table study drop constraint study_finalists_check, add constraint study_finalists_check check (finalists >= 0);
