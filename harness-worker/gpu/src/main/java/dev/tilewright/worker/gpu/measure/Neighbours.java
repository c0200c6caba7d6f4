package dev.tilewright.worker.gpu.measure;

import dev.tilewright.worker.gpu.cuda.GpuProcesses;
import dev.tilewright.worker.gpu.cuda.GpuProcesses.Resident;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import java.util.function.LongPredicate;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Other processes on the GPU. One that only holds memory is named. One that computes while a block runs voids the
 * block. This process, its worker and all that the worker started are no neighbours. Traced twins and the holders of
 * SMs run in this process.
 *
 * <p>The driver must know this process by its own number. Otherwise it numbers processes as the machine does and not as
 * our container, and a number says nothing of whose it is: then who computes cannot be observed.
 */
public final class Neighbours {

    /** Deviation of the runs of a final or a comparison, as a logarithm, that no clock and no heat make. */
    private static final double ALONE = 0.10;

    /** Samples come some times a second, and each question costs 2 ms. */
    private static final long LOOK_NS = 100_000_000;

    /** Screens are short and many. */
    private static final long SCREEN_LOOK_NS = 1_000_000_000;

    /** The newest sample is up to so old. */
    private static final long LAG_MICROS = 250_000;

    /** A process that computes has so long to end, in ns, before a block is repeated. */
    private static final long PAUSE_NS = 200_000_000;

    /** How the reason of a block ends during which somebody else computed. */
    public static final String COMPUTED = " computed on the GPU too";

    private static final double MEBI = 1 << 20;

    private static final String UNSEEN = "other processes on the GPU cannot be observed: ";

    private final GpuProcesses processes;
    private final LongPredicate ours;
    private final LongSupplier nanoTime;
    private final Clock clock;
    private final LongConsumer sleep;
    private boolean hasLooked;
    private long looked;
    private Optional<String> seen = Optional.empty();
    private @Nullable Optional<String> blind;

    /**
     * @param ours whether a number is that of this process, of its worker, or of one that the worker started
     * @param nanoTime for durations
     * @param clock by which samples are stamped
     * @param sleep for so many nanoseconds
     */
    Neighbours(GpuProcesses processes, LongPredicate ours, LongSupplier nanoTime, Clock clock, LongConsumer sleep) {
        this.processes = processes;
        this.ours = ours;
        this.nanoTime = nanoTime;
        this.clock = clock;
        this.sleep = sleep;
    }

    /** The neighbours of this process. */
    public static Neighbours of(GpuProcesses processes) {
        return new Neighbours(
                processes, Neighbours::isOurs, System::nanoTime, Clock.systemUTC(), LockSupport::parkNanos);
    }

    /** The worker that started this process has others: assemblers of the driver have a context on the GPU too. */
    private static boolean isOurs(long pid) {
        ProcessHandle own = ProcessHandle.current();
        ProcessHandle worker = own.parent().orElse(own);
        return pid == own.pid()
                || Stream.iterate(
                                ProcessHandle.of(pid), Optional::isPresent, each -> each.flatMap(ProcessHandle::parent))
                        .anyMatch(each -> each.orElseThrow().equals(worker));
    }

    /**
     * Names the other processes on the GPU, a line each, or says why they cannot be observed.
     *
     * @param lines the lines of earlier calls, which are not repeated; new lines are added
     */
    public void name(List<String> lines) {
        blind = null;
        blindness().ifPresent(reason -> add(lines, UNSEEN + reason));
        if (blindness().isPresent()) {
            return;
        }
        others().forEach(other -> add(
                lines,
                String.format(
                        Locale.ROOT,
                        "process %d (%s) is on the GPU too and holds %.0f MiB of its memory",
                        other.pid(),
                        other.name(),
                        other.bytes() / MEBI)));
    }

    private static void add(List<String> lines, String line) {
        String subject = line.replaceFirst(" is on the GPU.*", " ");
        if (lines.stream().noneMatch(said -> said.startsWith(subject))) {
            lines.add(line);
        }
    }

    /** Why nobody can say who computes; empty if it can be said. It is looked at once for each request. */
    private Optional<String> blindness() {
        if (blind == null) {
            blind = look();
        }
        return blind;
    }

    private Optional<String> look() {
        Optional<List<Resident>> residents = processes.residents();
        if (residents.isEmpty()) {
            return Optional.of("the driver does not list processes");
        }
        if (residents.get().stream().noneMatch(resident -> ours.test(resident.pid()))) {
            return Optional.of("the driver does not list this one by its own number, as in a container");
        }
        return processes.usedSince(micros()).isEmpty()
                ? Optional.of("the driver does not say which of them computes")
                : Optional.empty();
    }

    private List<Resident> others() {
        return processes.residents().orElse(List.of()).stream()
                .filter(resident -> !ours.test(resident.pid()))
                .toList();
    }

    private long micros() {
        return ChronoUnit.MICROS.between(Instant.EPOCH, clock.instant());
    }

    /** A block begins. */
    long begin() {
        return micros();
    }

    /** The processes that computed since a block began; empty if there was none, or if they cannot be observed. */
    Optional<String> computing(long began, boolean screen) {
        long now = nanoTime.getAsLong();
        if (!hasLooked || now - looked >= (screen ? SCREEN_LOOK_NS : LOOK_NS)) {
            seen = lookSince(began);
            hasLooked = true;
            looked = now;
        }
        if (seen.isPresent()) {
            sleep.accept(PAUSE_NS);
        }
        return seen;
    }

    private Optional<String> lookSince(long began) {
        if (blindness().isPresent()) {
            return Optional.empty();
        }
        List<GpuProcesses.Use> used = processes.usedSince(began - LAG_MICROS).orElse(List.of()).stream()
                .filter(use -> use.smPercent() > 0 && !ours.test(use.pid()))
                .toList();
        return used.isEmpty()
                ? Optional.empty()
                : Optional.of(used.stream()
                        .map(use -> "process " + use.pid() + " (" + nameOf(use.pid()) + ")")
                        .distinct()
                        .sorted()
                        .collect(Collectors.joining(", ", "", COMPUTED)));
    }

    private String nameOf(long pid) {
        return processes.residents().orElse(List.of()).stream()
                .filter(resident -> resident.pid() == pid)
                .map(Resident::name)
                .findFirst()
                .orElse("ended");
    }

    /**
     * The reason against runs that deviate so much that they were not alone; for GPUs whose processes cannot be
     * observed.
     *
     * @param deviation of a run, as a logarithm
     */
    public Optional<String> spread(double deviation) {
        return deviation > ALONE && blindness().isPresent()
                ? Optional.of(String.format(
                        Locale.ROOT,
                        "a run deviates by %.0f %% from the others: something else uses the GPU, and its processes"
                                + " cannot be observed",
                        100 * Math.expm1(deviation)))
                : Optional.empty();
    }

    /** The processes that have come since a count; where it is known who computes, they do no harm by being there. */
    Optional<String> arrivals(int before) {
        int now = count();
        return now > before
                ? Optional.of(now + " processes have a context on the GPU, at first it was " + before)
                : Optional.empty();
    }

    /** How many processes have a context, where it cannot be observed which of them compute; 0 if it can. */
    int count() {
        return blindness().isEmpty() ? 0 : processes.residents().map(List::size).orElse(0);
    }

    /**
     * How many processes there are, where it cannot be observed which of them compute, and it is not this one alone.
     */
    Optional<String> crowd() {
        int count = count();
        return count > 1 ? Optional.of(count + " processes have a context on the GPU") : Optional.empty();
    }
}
