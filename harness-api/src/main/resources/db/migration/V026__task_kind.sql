-- A kind is what users call it.
update gpu_task set kind = 'comparison' where kind = 'compare';
