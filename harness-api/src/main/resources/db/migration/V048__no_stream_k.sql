-- The parameter streamK is retired. A config in which it was none is the same kernel without it, so its key goes, and its
-- hash is that of what is left. A config in which clusters shared tiles stays as it was measured: whoever asks for it
-- again is told that the family has no such parameter.
create function without_stream_k(document jsonb) returns jsonb language sql immutable as $$
    select regexp_replace(regexp_replace(regexp_replace(document::text,
        ', "streamK": ("none"|\["none"\])', '', 'g'),
        '"streamK": ("none"|\["none"\])(, )?', '', 'g'),
        '( --set)? streamK=none\M', '', 'g')::jsonb
$$;

update trial set config = config - 'streamK', config_hash = encode(sha256(convert_to((
    select string_agg(pair.key || '=' || pair.value, ' ' order by pair.key collate "C")
    from jsonb_each_text(config - 'streamK') pair), 'UTF8')), 'hex')
where config ->> 'streamK' = 'none';
update final_arm set config = config - 'streamK' where config ->> 'streamK' = 'none';
update study set anchor = anchor - 'streamK' where anchor ->> 'streamK' = 'none';

-- Documents that have configs in them: as objects, as text, or as a restriction to values.
update job set options = without_stream_k(options) where options::text like '%streamK%';
update final_run set contenders = without_stream_k(contenders) where contenders::text like '%streamK%';
update event set data = without_stream_k(data) where data::text like '%streamK%';
update gpu_task set request = without_stream_k(request) where request::text like '%streamK%';
update gpu_task set result = without_stream_k(result) where result::text like '%streamK%';
update gate_case set spec = without_stream_k(spec) where spec::text like '%streamK%';
update gate_case set retune = without_stream_k(retune) where retune::text like '%streamK%';
update gate_stage set candidate = without_stream_k(candidate) where candidate::text like '%streamK%';
update gate_stage set baseline = without_stream_k(baseline) where baseline::text like '%streamK%';
update gate_schedule set request = without_stream_k(request) where request::text like '%streamK%';

drop function without_stream_k(jsonb);
