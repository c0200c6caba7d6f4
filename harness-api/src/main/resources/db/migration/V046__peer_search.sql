-- What a final did to find faster kernels of the peers than those that they return by themselves: an array of
-- {family, budgetSeconds, seconds, tried, valid, kernels, timed, dropped, joined}; null before it has ended.
alter table final_run add column peer_searches jsonb;
