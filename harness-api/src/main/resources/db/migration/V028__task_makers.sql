-- A task may have kernels of several families, or none of ours: each side says its own. The makers are those of all of them.
alter table gpu_task add column makers text[];
update gpu_task set makers = case
    when request -> 'first' ->> 'type' = 'own' or request -> 'second' ->> 'type' = 'own' then array[split_part(family, ':', 1)]
    else '{}' end;
update gpu_task set request = jsonb_set(request, '{first,family}', to_jsonb(family))
    where request -> 'first' ->> 'type' = 'own';
update gpu_task set request = jsonb_set(request, '{second,family}', to_jsonb(family))
    where request -> 'second' ->> 'type' = 'own';
update gpu_task set request = request - 'family';
alter table gpu_task alter column makers set not null;
alter table gpu_task drop column family;
