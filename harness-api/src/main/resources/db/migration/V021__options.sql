-- What a job asks for is in its row alone. A study keeps the family, which is in the index of its finals.
drop view if exists v_study;
alter table study
    drop column restriction, drop column strategy, drop column trial_budget, drop column seconds_budget, drop column finalists,
    drop column seed, drop column selector, drop column check_first;
