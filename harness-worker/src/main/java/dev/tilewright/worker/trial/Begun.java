package dev.tilewright.worker.trial;

import dev.tilewright.model.exchange.Lease;
import dev.tilewright.model.space.Config;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A lease whose kernels are being made.
 *
 * @param refusal why this worker cannot do it; {@code null} if it can
 * @param kernels one for each config of the lease
 * @param anchor the kernel that they are timed beside; {@code null} if there is none
 */
public record Begun(
        Lease lease,
        @Nullable String refusal,
        Map<Config, CompletableFuture<Preparation>> kernels,
        @Nullable CompletableFuture<Preparation> anchor) {

    public Begun {
        kernels = Map.copyOf(kernels);
    }

    /** Whether nothing is to be waited for: neither a kernel nor the anchor, and neither failed by a bug. */
    boolean isMade(Config config) {
        CompletableFuture<Preparation> kernel = kernels.get(config);
        return kernel != null && isThere(kernel) && (anchor == null || isThere(anchor));
    }

    private static boolean isThere(CompletableFuture<Preparation> future) {
        return future.isDone() && !future.isCompletedExceptionally();
    }

    /** Waits for a kernel. */
    Preparation kernel(Config config) {
        CompletableFuture<Preparation> kernel = kernels.get(config);
        if (kernel == null) {
            throw new IllegalArgumentException("the lease has no config " + config);
        }
        return kernel.join();
    }

    /** Forgets what has not been begun yet. */
    public void abandon() {
        kernels.values().forEach(kernel -> kernel.cancel(false));
        if (anchor != null) {
            anchor.cancel(false);
        }
    }
}
