-- Of equally fast trials the one that was asked first is the fastest, and no longer the one with the smaller hash.
update study_tally y set fastest_trial = f.trial_id
from (
    select distinct on (m.study_id) m.study_id, m.trial_id, m.median_ns
    from (
        select distinct on (r.trial_id) r.* from measurement r
        where r.trial_id is not null and r.mode = 'sustained' and r.stage = 'screen'
        order by r.trial_id, r.id desc) m
    join trial t on t.id = m.trial_id and t.outcome = 'completed'
    order by m.study_id, m.median_ns, t.ordinal) f
where f.study_id = y.study_id and y.fastest_ns = f.median_ns and y.fastest_trial <> f.trial_id;

-- The best rate of a study is one of its screens, before its final and after it.
update study_tally y set best_tflops = (
    select max(m.tflops) from measurement m join trial t on t.id = m.trial_id and t.outcome = 'completed'
    where m.study_id = y.study_id and m.mode = 'sustained' and m.stage = 'screen');
