-- Who refused a study is asked for, neither when nor why: what a study fails of is its error.
alter table refusal drop column refused_at, drop column reason;
