-- Whether the worker of a lease has said that it has it. One that never did is undelivered when its time is up: nobody ran
-- anything for it. Of those from before it is not known.
alter table lease add column begun boolean not null default true;
alter table lease alter column begun set default false;
alter table lease drop constraint lease_ending_check;
alter table lease add constraint lease_ending_check
    check (ending in ('reported', 'refused', 'expired', 'undelivered', 'cancelled'));
