-- The best config of a problem that is not plain is found by the whole problem.
create index study_problem on study using hash (problem) where state = 'finished' and m is null;
