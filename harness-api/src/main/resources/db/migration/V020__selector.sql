-- 'cuda' is written 'cuda:all'.
update job set selector = 'cuda:all' where selector = 'cuda';
update study set selector = 'cuda:all' where selector = 'cuda';
update study_queue set selector = 'cuda:all' where selector = 'cuda';
