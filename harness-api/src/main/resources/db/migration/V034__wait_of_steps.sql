-- The wait of a slowed kernel is of steps, about 15 cycles each; it was of cycles.
update gpu_task
set result = jsonb_set(result #- '{first,slowed,cycles}', '{first,slowed,steps}',
    to_jsonb(greatest(1, cast(result #>> '{first,slowed,cycles}' as bigint) / 15)))
where result #> '{first,slowed,cycles}' is not null;
update gpu_task
set result = jsonb_set(result #- '{second,slowed,cycles}', '{second,slowed,steps}',
    to_jsonb(greatest(1, cast(result #>> '{second,slowed,cycles}' as bigint) / 15)))
where result #> '{second,slowed,cycles}' is not null;
update gpu_task
set request = jsonb_set(request #- '{first,waitCycles}', '{first,waitSteps}',
    to_jsonb(greatest(1, cast(request #>> '{first,waitCycles}' as bigint) / 15)))
where jsonb_typeof(request #> '{first,waitCycles}') = 'number';
update gpu_task
set request = jsonb_set(request #- '{second,waitCycles}', '{second,waitSteps}',
    to_jsonb(greatest(1, cast(request #>> '{second,waitCycles}' as bigint) / 15)))
where jsonb_typeof(request #> '{second,waitCycles}') = 'number';
