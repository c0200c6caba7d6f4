-- Contenders race in teams. One that was stored before is a team of its own: then all race against each other, as before.
update final_run
set contenders = (
    select jsonb_agg(contender.value || jsonb_build_object('team', contender.ordinality - 1) order by contender.ordinality)
    from jsonb_array_elements(contenders) with ordinality contender)
where jsonb_array_length(contenders) > 0 and not jsonb_exists(contenders -> 0, 'team');
