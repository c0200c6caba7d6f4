-- When each tile of a traced run began and ended, by SM: a part of the evidence that lists, boards and the search do not read.
-- Text: as jsonb its numbers would take twice as much.
alter table trial add column tile_ns json check (json_typeof(tile_ns) = 'array');
