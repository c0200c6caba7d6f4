package dev.tilewright.worker.cli;

import dev.tilewright.gate.decision.PairedBlock;
import dev.tilewright.gate.qualification.QualificationRun;
import dev.tilewright.gate.qualification.QualificationRun.Purpose;
import dev.tilewright.model.exchange.ComparisonDocument;
import dev.tilewright.model.exchange.GpuTask;
import dev.tilewright.model.exchange.GpuTaskResult.CompareVerdict;
import dev.tilewright.model.exchange.GpuTaskResult.Compared;
import dev.tilewright.model.exchange.GpuTaskResult.Slowdown;
import dev.tilewright.model.exchange.ProblemDocument;
import dev.tilewright.model.exchange.TaskState;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.trial.Discard;
import dev.tilewright.worker.link.client.ApiRefusedException;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Has cases of a qualification timed, as comparisons: some wait in the queue at any time, so that no GPU waits for the
 * next one, and each is written down as soon as it is over.
 */
final class QualificationDesk {

    private static final int MOST_WAITING = 16;
    /** New data cost more than a case: so many share theirs. */
    private static final int CASES_PER_DATA = 10;

    private static final int CALIBRATION_BLOCKS = 20;
    private static final int LINES_EVERY = 20;

    private final Comparisons comparisons;
    private final Problem problem;
    private final Map<String, Object> kernel;
    private final String device;
    private final QualificationFile file;
    private final long giveUp;
    private final PrintStream err;
    /** Whoever ends this process reads it from another thread. */
    private final Deque<Waiting> waiting = new ConcurrentLinkedDeque<>();

    private volatile boolean stopped;
    private boolean dropped;

    /**
     * A run that is asked for.
     *
     * @param steps of the wait that slows the candidate; {@code null} if it is the baseline
     */
    record Ask(Purpose purpose, double percent, @Nullable Long steps, int blocks, long seed) {}

    private record Waiting(Ask ask, UUID id) {}

    /**
     * @param kernel as a comparison asks for it
     * @param budget after which nothing more is asked for; {@code null} for no limit
     */
    QualificationDesk(
            Connection connection,
            Problem problem,
            Map<String, Object> kernel,
            String device,
            QualificationFile file,
            @Nullable Duration budget,
            PrintStream err) {
        this.comparisons = new Comparisons(connection, err);
        this.problem = problem;
        this.kernel = kernel;
        this.device = device;
        this.file = file;
        this.giveUp = budget == null ? Long.MAX_VALUE : System.nanoTime() + budget.toNanos();
        this.err = err;
    }

    /** How many cases from this seed on have the operands of the first. */
    static int casesOnTheDataOf(long seed) {
        return CASES_PER_DATA - (int) Math.floorMod(seed, (long) CASES_PER_DATA);
    }

    private boolean isLate() {
        return stopped || giveUp != Long.MAX_VALUE && System.nanoTime() - giveUp > 0;
    }

    /** For whoever ends this process: nothing more is asked for, and what waits is wanted no more. */
    void stop() {
        stopped = true;
        cancelAll();
    }

    private void dropWhenLate() {
        if (isLate() && !dropped) {
            dropped = true;
            cancelAll();
        }
    }

    /** The wait that makes a launch so much longer; empty if none was found, or there is no time for it. */
    Optional<Long> calibrate(double percent, long seed) throws ApiRefusedException, InterruptedException {
        if (isLate()) {
            return Optional.empty();
        }
        Waiting one = queued(new Ask(Purpose.CASE, percent, null, CALIBRATION_BLOCKS, seed));
        ComparisonDocument done = comparisons.toItsEnd(one.id(), _ -> dropWhenLate());
        waiting.remove(one);
        Slowdown slowed = done.result() == null ? null : done.result().first().slowed();
        if (slowed == null) {
            err.println("no wait of " + percent + " %: "
                    + (done.result() == null ? done.error() : done.result().log()));
            return Optional.empty();
        }
        err.println("a wait of " + slowed.steps() + " steps for " + percent + " %");
        return Optional.of(slowed.steps());
    }

    /** Has them timed, and writes each down. */
    void run(List<Ask> asks) throws ApiRefusedException, InterruptedException, IOException {
        Deque<Ask> left = new ArrayDeque<>(asks);
        int done = 0;
        while (!left.isEmpty() || !waiting.isEmpty()) {
            while (!left.isEmpty() && waiting.size() < MOST_WAITING && !isLate()) {
                queued(left.removeFirst());
            }
            if (isLate()) {
                left.clear();
                dropWhenLate();
            }
            for (Waiting one : List.copyOf(waiting)) {
                ComparisonDocument document = comparisons.look(one.id());
                if (document.state().isOver()) {
                    waiting.remove(one);
                    if (document.state() != TaskState.CANCELLED) {
                        file.add(run(one.ask(), document));
                        done++;
                        progress(one.ask(), done, asks.size());
                    }
                }
            }
            Thread.sleep(Comparisons.PAUSE);
        }
    }

    private void progress(Ask ask, int done, int of) {
        if (done % LINES_EVERY == 0 || done == of) {
            err.println(String.format(
                    Locale.ROOT,
                    "%s of %.4g %%: %d of %d",
                    ask.purpose().name().toLowerCase(Locale.ROOT),
                    ask.percent(),
                    done,
                    of));
        }
    }

    private Waiting queued(Ask ask) throws ApiRefusedException, InterruptedException {
        Waiting one = new Waiting(ask, ask(ask));
        waiting.addLast(one);
        if (stopped) {
            comparisons.cancel(one.id());
        }
        return one;
    }

    private UUID ask(Ask ask) throws ApiRefusedException, InterruptedException {
        Map<String, Object> candidate = new LinkedHashMap<>(kernel);
        if (ask.percent() > 0) {
            candidate.put("slowedBy", ask.percent() / 100);
        }
        if (ask.steps() != null) {
            candidate.put("waitSteps", ask.steps());
        }
        Map<String, Object> request = new LinkedHashMap<>();
        request.put("problem", ProblemDocument.inShort(problem));
        request.put("first", candidate);
        request.put("second", kernel);
        request.put("device", device);
        request.put("measureEqual", true);
        request.put("seed", ask.seed() / CASES_PER_DATA);
        request.put("blocks", ask.blocks());
        request.put("freshProcess", ask.purpose() == Purpose.TRUTH);
        return comparisons.ask(request);
    }

    /** Cancels the tasks that still wait. */
    private void cancelAll() {
        List.copyOf(waiting).forEach(one -> comparisons.cancel(one.id()));
    }

    private QualificationRun run(Ask ask, ComparisonDocument document) {
        Compared result = document.result();
        List<PairedBlock> blocks = result == null
                ? List.of()
                : PairedBlock.of(
                        result.blocks(), result.first().name(), result.second().name());
        StringBuilder orders = new StringBuilder();
        blocks.forEach(block -> orders.append(block.candidateFirst() ? 'C' : 'B'));
        boolean hasClock =
                blocks.stream().allMatch(block -> block.candidateMhz() != null && block.baselineMhz() != null);
        return new QualificationRun(
                problem.shapes(),
                words(document.second()),
                ask.purpose(),
                ask.percent(),
                ask.steps(),
                result == null ? null : result.gpu(),
                document.testbed() == null ? "" : document.testbed().device(),
                document.testbed() == null ? "" : document.testbed().driver(),
                Objects.requireNonNullElse(System.getProperty("tilewright.commit"), ""),
                Instant.now(),
                ask.seed(),
                result == null ? 0 : result.gpuSeconds(),
                orders.toString(),
                numbers(blocks, PairedBlock::candidateNs),
                numbers(blocks, PairedBlock::baselineNs),
                hasClock ? numbers(blocks, block -> Objects.requireNonNull(block.candidateMhz())) : null,
                hasClock ? numbers(blocks, block -> Objects.requireNonNull(block.baselineMhz())) : null,
                result == null ? List.of() : reasons(result.discards()),
                result == null ? List.of() : result.doubts(),
                error(document, result));
    }

    private static String words(GpuTask.Side side) {
        return switch (side) {
            case GpuTask.Side.Own own -> own.family() + " " + own.config().canonical();
            case GpuTask.Side.OfPeer peer -> peer.family();
        };
    }

    private static double[] numbers(List<PairedBlock> blocks, ToDoubleFunction<PairedBlock> what) {
        return blocks.stream().mapToDouble(what).toArray();
    }

    private static List<String> reasons(List<Discard> discards) {
        return new ArrayList<>(discards.stream().map(Discard::reason).toList());
    }

    private static @Nullable String error(ComparisonDocument document, @Nullable Compared result) {
        if (result == null) {
            return Objects.requireNonNullElse(document.error(), document.state().toString());
        }
        return result.verdict() == CompareVerdict.INVALID
                ? "invalid: " + result.first().log() + " " + result.second().log()
                : null;
    }
}
