package dev.tilewright.worker.gpu.runner;

import dev.tilewright.gemm.oracle.HolderKernel;
import dev.tilewright.model.problem.Scenario;
import dev.tilewright.worker.gpu.cuda.Gpu;
import dev.tilewright.worker.gpu.cuda.HostFlag;
import dev.tilewright.worker.gpu.cuda.PreparedLaunch;
import dev.tilewright.worker.gpu.measure.StreamPlug;
import dev.tilewright.worker.gpu.verify.OracleModule;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntPredicate;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Keeps SMs from all other kernels while something is timed or traced, by {@link HolderKernel}s in the second stream.
 *
 * <p>While SMs are held, nothing may be loaded, allocated or freed, nor a kernel be launched for the first time: the
 * driver may wait for the whole device then, holders included. What is run beside them must have run once before.
 */
final class SmHolders implements AutoCloseable {

    /**
     * How long holders stay without a beat. A run between two beats takes a fraction of a second; a launch that waits
     * for an SM that is held waits no longer than this, which is less than the runner has for a trial.
     */
    static final Duration PATIENCE = Duration.ofSeconds(10);

    /** Within this time all holders have started on a GPU that is free, or ended after they were let go. */
    static final Duration PROMPT = Duration.ofSeconds(2);

    private static final long LOOK_NS = 50_000;

    /** Word of the flag that the holders watch; their reports follow it. */
    private static final int BEAT = 0;

    private static final int LET_GO = 0;

    private final Gpu gpu;
    private final LongSupplier nanoTime;
    private final OracleModule module;
    private final HostFlag flag;
    private int launched;
    private int beat;
    private @Nullable Hold current;

    SmHolders(Gpu gpu) {
        this(gpu, System::nanoTime);
    }

    /** @param nanoTime wall time for durations, in nanoseconds */
    SmHolders(Gpu gpu, LongSupplier nanoTime) {
        this.gpu = gpu;
        this.nanoTime = nanoTime;
        this.module = OracleModule.load(gpu, HolderKernel.build());
        this.flag = gpu.hostFlag(1 + HolderKernel.REPORT_WORDS * gpu.info().smCount());
    }

    /** SMs that are held until it is closed. */
    final class Hold implements AutoCloseable {

        private final List<Integer> sms;

        private Hold(List<Integer> sms) {
            this.sms = sms;
        }

        /** Ids of the SMs, ascending; none in a quiet scenario. */
        List<Integer> sms() {
            return sms;
        }

        /**
         * Makes sure that all have been held up to now.
         *
         * @throws IllegalStateException if one has not
         */
        void confirm() {
            List<Integer> ended = IntStream.range(0, sms.size())
                    .filter(holder -> report(holder, HolderKernel.OUTCOME) != 0)
                    .boxed()
                    .toList();
            if (!ended.isEmpty()) {
                throw new IllegalStateException(ended.size() + " of " + sms.size() + " holders of SMs gave up after "
                        + PATIENCE.toSeconds() + " s without a beat: a run took longer, or waited for an SM they hold");
            }
        }

        /** Text for a log; empty if no SM is held. */
        Optional<String> note(String when) {
            return sms.isEmpty()
                    ? Optional.empty()
                    : Optional.of("SMs held " + when + ": "
                            + sms.stream().map(String::valueOf).collect(Collectors.joining(", ")));
        }

        @Override
        public void close() {
            current = null;
            if (!sms.isEmpty()) {
                letGo();
            }
        }
    }

    /**
     * Waits until the stream is empty and holds as many SMs as the scenario says.
     *
     * @throws IllegalStateException if not as many different SMs were to be had; none is held then
     */
    Hold hold(Scenario scenario) {
        int wanted = scenario.busySms();
        if (wanted >= gpu.info().smCount()) {
            throw new IllegalArgumentException("busySms must be at most "
                    + (gpu.info().smCount() - 1) + ", one SM less than the GPU has, got " + wanted);
        }
        if (current != null) {
            throw new IllegalStateException("SMs are held already: " + current.sms());
        }
        if (launched > 0) {
            // Those who did not end in time may have ended since.
            letGo();
        }
        List<Integer> sms = wanted == 0 ? List.of() : start(wanted);
        Hold hold = new Hold(sms);
        current = hold;
        return hold;
    }

    private List<Integer> start(int wanted) {
        gpu.synchronize();
        beat();
        for (int word = 1; word < 1 + HolderKernel.REPORT_WORDS * wanted; word++) {
            flag.set(word, 0);
        }
        try (PreparedLaunch holders = module.prepareBeside(HolderKernel.launch(
                wanted,
                gpu.info().sharedBytesPerCta(),
                flag.deviceAddress(),
                PATIENCE.toNanos(),
                flag.deviceAddress() + Integer.BYTES))) {
            holders.enqueue();
        }
        launched = wanted;
        try {
            int started = await(holder -> report(holder, HolderKernel.PLACE) != 0);
            if (started < wanted) {
                throw new IllegalStateException("only " + started + " of " + wanted + " holders found an SM within "
                        + PROMPT.toSeconds() + " s: is the GPU in use by others?");
            }
            return distinct(wanted);
        } catch (RuntimeException refused) {
            try {
                letGo();
            } catch (IllegalStateException stuck) {
                refused.addSuppressed(stuck);
            }
            throw refused;
        }
    }

    private List<Integer> distinct(int wanted) {
        List<Integer> sms = IntStream.range(0, wanted)
                .mapToObj(holder -> report(holder, HolderKernel.PLACE) - 1)
                .sorted()
                .toList();
        if (new TreeSet<>(sms).size() < wanted) {
            throw new IllegalStateException(
                    wanted + " holders must hold " + wanted + " different SMs, but they are on " + sms);
        }
        return sms;
    }

    private int report(int holder, int word) {
        return flag.get(1 + HolderKernel.REPORT_WORDS * holder + word);
    }

    /** Waits until the holders have reported, but not for ever: how many have. */
    private int await(IntPredicate reported) {
        long start = nanoTime.getAsLong();
        while (true) {
            // The time is taken first: what was reported in time counts, however late it is looked at.
            boolean late = nanoTime.getAsLong() - start > PROMPT.toNanos();
            int count = (int) IntStream.range(0, launched).filter(reported).count();
            if (count == launched || late) {
                return count;
            }
            LockSupport.parkNanos(LOOK_NS);
        }
    }

    private void letGo() {
        flag.set(BEAT, LET_GO);
        int ended = await(holder -> report(holder, HolderKernel.OUTCOME) != 0);
        if (ended < launched) {
            throw new IllegalStateException((launched - ended) + " of " + launched
                    + " holders of SMs did not end within " + PROMPT.toSeconds() + " s");
        }
        launched = 0;
    }

    /** A plug that tells the holders that the host is alive, whenever it is inserted: that is before each run. */
    StreamPlug renewing(StreamPlug plug) {
        return () -> {
            renew();
            return plug.insert();
        };
    }

    /** Another word than before, and never the one that lets go. */
    private void beat() {
        beat = beat == Integer.MAX_VALUE ? 1 : beat + 1;
        flag.set(BEAT, beat);
    }

    private void renew() {
        if (current != null && !current.sms().isEmpty()) {
            current.confirm();
            beat();
        }
    }

    @Override
    public void close() {
        flag.close();
        module.close();
    }
}
