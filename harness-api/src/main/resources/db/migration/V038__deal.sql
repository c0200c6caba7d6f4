-- How a GPU deals clusters out to its GPCs, as its worker measured it.
alter table worker_device add column deals jsonb check (jsonb_typeof(deals) = 'array');
