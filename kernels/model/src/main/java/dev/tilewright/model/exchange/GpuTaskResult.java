package dev.tilewright.model.exchange;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.tilewright.model.trial.Checked;
import dev.tilewright.model.trial.Discard;
import dev.tilewright.model.trial.GpuTime;
import dev.tilewright.model.trial.Ratio;
import dev.tilewright.model.trial.TrialOutcome;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The result of a {@link GpuTask}. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
    @JsonSubTypes.Type(value = GpuTaskResult.Compared.class, name = "compared"),
    @JsonSubTypes.Type(value = GpuTaskResult.CheckedText.class, name = "checkedText"),
    @JsonSubTypes.Type(value = GpuTaskResult.Failed.class, name = "failed")
})
public sealed interface GpuTaskResult {

    /** Whether a kernel brought the GPU down: the process that ran it is not used again. */
    @JsonIgnore
    boolean crashed();

    /**
     * Outcome of {@link GpuTask.Compare}.
     *
     * @param verdict which of the two is faster, if either
     * @param ratio how much faster the first kernel is than the second; {@code null} if nothing was timed
     * @param first the first kernel
     * @param second the second kernel
     * @param blocks the raw durations; the arms have the names of the sides
     * @param discards blocks that do not count, with their reasons
     * @param doubts why the blocks are not to be trusted; often empty
     * @param gpu id of the GPU; {@code null} if nothing was timed
     * @param gpuSeconds that the process of the GPU was at it, from loading to the last comparison of results
     * @param gpuTimesNs what the GPU was at meanwhile, by the names of {@link GpuTime}, in nanoseconds; empty if that
     *     was not seen
     * @param log what a person needs to understand the outcome
     * @param neighbours other processes on the GPU, or why they cannot be observed; a line for each
     */
    record Compared(
            CompareVerdict verdict,
            @Nullable Ratio ratio,
            ComparedSide first,
            ComparedSide second,
            List<Report.Block> blocks,
            List<Discard> discards,
            List<String> doubts,
            @Nullable String gpu,
            double gpuSeconds,
            Map<String, Long> gpuTimesNs,
            String log,
            List<String> neighbours)
            implements GpuTaskResult {

        public Compared {
            blocks = List.copyOf(blocks);
            discards = List.copyOf(discards);
            doubts = List.copyOf(doubts);
            // Those that were stored before it was counted have none.
            gpuTimesNs = gpuTimesNs == null ? Map.of() : Map.copyOf(gpuTimesNs);
            neighbours = neighbours == null ? List.of() : List.copyOf(neighbours);
        }

        /** Of which nobody saw what the GPU was at. */
        public Compared(
                CompareVerdict verdict,
                @Nullable Ratio ratio,
                ComparedSide first,
                ComparedSide second,
                List<Report.Block> blocks,
                List<Discard> discards,
                List<String> doubts,
                @Nullable String gpu,
                double gpuSeconds,
                String log) {
            this(verdict, ratio, first, second, blocks, discards, doubts, gpu, gpuSeconds, Map.of(), log, List.of());
        }

        /** Of blocks that nobody doubts. */
        public Compared(
                CompareVerdict verdict,
                @Nullable Ratio ratio,
                ComparedSide first,
                ComparedSide second,
                List<Report.Block> blocks,
                List<Discard> discards,
                String log) {
            this(verdict, ratio, first, second, blocks, discards, List.of(), null, 0, log);
        }

        /** The same with other sides. */
        public Compared with(ComparedSide one, ComparedSide other) {
            return new Compared(
                    verdict, ratio, one, other, blocks, discards, doubts, gpu, gpuSeconds, gpuTimesNs, log, neighbours);
        }

        /** The same after so many seconds, in which the GPU was at this. */
        public Compared took(double seconds, Map<String, Long> timesNs) {
            return new Compared(
                    verdict, ratio, first, second, blocks, discards, doubts, gpu, seconds, timesNs, log, neighbours);
        }

        /** The same with other processes on the GPU. */
        public Compared beside(List<String> others) {
            return new Compared(
                    verdict, ratio, first, second, blocks, discards, doubts, gpu, gpuSeconds, gpuTimesNs, log, others);
        }

        @Override
        public boolean crashed() {
            return first.outcome() == TrialOutcome.CRASH || second.outcome() == TrialOutcome.CRASH;
        }
    }

    /**
     * Outcome of {@link GpuTask.CheckText}.
     *
     * @param verdict what the emulator says of the text
     * @param lines of the whole verdict for people; where the text or its launch is wrong, what is wrong with them
     * @param hazards that were found, the first of them first
     */
    record CheckedText(TextVerdict verdict, List<String> lines, List<TextHazard> hazards) implements GpuTaskResult {

        public CheckedText {
            lines = List.copyOf(lines);
            hazards = List.copyOf(hazards);
        }

        @Override
        public boolean crashed() {
            return false;
        }
    }

    /** The verdict on a text and its launch. Written in lower case. */
    enum TextVerdict {
        PROVED,
        /** Nothing wrong was seen, and rings were not gone through often enough for a proof. */
        SHALLOW,
        HAZARD,
        /** A buffer does not hold what it should. */
        MISMATCH,
        /** It uses what is not emulated. */
        UNSUPPORTED,
        /** The text is no PTX, the description is none of a launch, or they do not fit. Nothing was run. */
        WRONG;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * What a run showed.
     *
     * @param seed of the run
     * @param rule that is broken
     * @param kind of hazard
     * @param message what happened, for people
     * @param site where it happened
     * @param waiters who waited for what at that time
     * @param excerpt the lines around the position, which is marked
     */
    record TextHazard(
            long seed,
            String rule,
            String kind,
            String message,
            TextSite site,
            List<TextWaiter> waiters,
            List<String> excerpt) {

        public TextHazard {
            waiters = List.copyOf(waiters);
            excerpt = List.copyOf(excerpt);
        }
    }

    /**
     * A statement of a text and who was at it. Lines and columns count from 1.
     *
     * @param kernel name of the kernel
     * @param line of the text
     * @param column of the text
     * @param instruction the statement
     * @param cta number of the CTA in the grid
     * @param rank of the CTA in its cluster
     * @param warp of the CTA
     * @param lane of the warp
     */
    record TextSite(String kernel, int line, int column, String instruction, int cta, int rank, int warp, int lane) {}

    /**
     * Somebody who waited, and what for.
     *
     * @param site where it waits
     * @param reason what it waits for
     */
    record TextWaiter(TextSite site, String reason) {}

    /**
     * Nothing came of it: the GPU, the worker or the request is at fault.
     *
     * @param reason why, for people
     */
    record Failed(String reason) implements GpuTaskResult {

        @Override
        public boolean crashed() {
            return false;
        }
    }

    /**
     * One of the two kernels.
     *
     * @param name of its arm in the blocks
     * @param ptxHash SHA-256 of the text; {@code null} of a peer, or where there is none
     * @param cubinHash {@code null} of a peer, or where there is none
     * @param outcome of its part in the comparison
     * @param checked what the emulator says of the text; {@code null} if it was not asked
     * @param errorRatio largest error over its bound; {@code null} if no comparison was made
     * @param log what a person needs to understand the outcome
     * @param slowed by what; {@code null} of one that is not slowed, or whose wait was not found
     */
    record ComparedSide(
            String name,
            @Nullable String ptxHash,
            @Nullable String cubinHash,
            TrialOutcome outcome,
            @Nullable Checked checked,
            @Nullable Double errorRatio,
            String log,
            @Nullable Slowdown slowed) {

        /** A side whose text the runner does not know. */
        public ComparedSide(
                String name, TrialOutcome outcome, @Nullable Double errorRatio, String log, @Nullable Slowdown slowed) {
            this(name, null, null, outcome, null, errorRatio, log, slowed);
        }

        /** The same with what is known of its text. */
        public ComparedSide of(@Nullable String ptx, @Nullable String cubin, @Nullable Checked proof) {
            return new ComparedSide(name, ptx, cubin, outcome, proof, errorRatio, log, slowed);
        }

        /** The same with a line more of log. */
        public ComparedSide noting(String line) {
            return new ComparedSide(
                    name, ptxHash, cubinHash, outcome, checked, errorRatio, (log + "\n" + line).strip(), slowed);
        }

        /** Of one that is not slowed. */
        public ComparedSide(String name, TrialOutcome outcome, @Nullable Double errorRatio, String log) {
            this(name, outcome, errorRatio, log, null);
        }
    }

    /**
     * What slows a kernel: each of its CTAs waits before it begins.
     *
     * @param steps how long: one is a multiplication that needs the one before it, about 15 cycles of an SM
     * @param longer what it does to a launch, as it was measured before the blocks: its time with the wait over its
     *     time without; {@code null} if the wait was given
     */
    record Slowdown(long steps, @Nullable Ratio longer) {}

    /** The verdict on the first kernel beside the second. */
    enum CompareVerdict {
        /** Both have the same module and launch. Nothing was timed. */
        EQUAL,
        /** It is faster by more than the margin. */
        FASTER,
        /** It is slower by more than the margin. */
        SLOWER,
        /** They differ by less than the margin. */
        SAME,
        /** The interval is too wide to say any of these. */
        INCONCLUSIVE,
        /** One of them computes something else, or cannot run. */
        INVALID;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
