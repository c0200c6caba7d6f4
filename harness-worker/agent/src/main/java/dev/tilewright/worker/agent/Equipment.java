package dev.tilewright.worker.agent;

import dev.tilewright.model.exchange.DeviceSelector;
import dev.tilewright.worker.agent.compile.CompilePool;
import dev.tilewright.worker.agent.device.Device;
import dev.tilewright.worker.agent.device.DeviceUnusableException;
import dev.tilewright.worker.agent.trial.Rehearsal;
import dev.tilewright.worker.link.command.CommandFailedException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Assemblers and devices of a worker. Each is a process of its own that takes its time to come up, so all are started
 * at once.
 */
record Equipment(CompilePool pool, List<Device> devices) implements AutoCloseable {

    /**
     * Starts everything and waits until it is ready.
     *
     * @param rehearsals what each device runs before the first lease, by its label
     * @throws CommandFailedException naming the first part that does not come up; the others are ended again
     */
    static Equipment start(
            List<DeviceSelector.OneDevice> selectors,
            DeviceFactory factory,
            Supplier<CompilePool> pools,
            Function<CompilePool, Map<String, Rehearsal>> rehearsals) {
        Executor threads = task -> Thread.ofPlatform().name("start").daemon().start(task);
        CompletableFuture<CompilePool> pool = CompletableFuture.supplyAsync(pools, threads);
        CompletableFuture<Map<String, Rehearsal>> rehearsed = pool.thenApply(rehearsals);
        Supplier<String> assembler = () -> pool.join().assembler().toString();
        List<CompletableFuture<Device>> devices = selectors.stream()
                .map(selector -> CompletableFuture.supplyAsync(() -> open(selector, factory, assembler), threads)
                        .thenCombine(rehearsed, Equipment::rehearse))
                .toList();
        List<CommandFailedException> failures = new ArrayList<>();
        CompilePool assemblers = await(pool, failures);
        List<Device> opened = new ArrayList<>();
        for (CompletableFuture<Device> device : devices) {
            Device ready = await(device, failures);
            if (ready != null) {
                opened.add(ready);
            }
        }
        if (assemblers == null || !failures.isEmpty()) {
            opened.forEach(Device::close);
            if (assemblers != null) {
                assemblers.close();
            }
            throw failures.getFirst();
        }
        return new Equipment(assemblers, List.copyOf(opened));
    }

    private static Device open(DeviceSelector.OneDevice selector, DeviceFactory factory, Supplier<String> assembler) {
        try {
            return factory.open(selector, assembler);
        } catch (DeviceUnusableException unusable) {
            throw CommandFailedException.infrastructure(selector + ": " + unusable.getMessage(), unusable);
        }
    }

    private static Device rehearse(Device device, Map<String, Rehearsal> rehearsals) {
        Rehearsal rehearsal = rehearsals.get(device.label());
        if (rehearsal != null) {
            rehearsal.on(device);
        }
        return device;
    }

    /** The part, or {@code null} and one more failure. */
    private static <T> @Nullable T await(CompletableFuture<T> part, List<CommandFailedException> failures) {
        try {
            return part.join();
        } catch (CompletionException failed) {
            failures.add(known(failed));
            return null;
        }
    }

    /** A device that waits for an assembler which does not come fails with the assembler's reason. */
    private static CommandFailedException known(CompletionException failed) {
        Throwable cause = failed;
        while (cause instanceof CompletionException && cause.getCause() != null) {
            cause = cause.getCause();
        }
        if (cause instanceof CommandFailedException known) {
            return known;
        }
        throw failed;
    }

    @Override
    public void close() {
        devices.forEach(Device::close);
        pool.close();
    }
}
