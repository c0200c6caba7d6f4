package dev.tilewright.model.exchange;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.space.Config;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Work for one GPU that is no part of a study. It is asked for once, and answered once by a {@link GpuTaskResult}. The
 * queue, the lease, the build of its kernels and the way to the runner are the same for every kind.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
    @JsonSubTypes.Type(value = GpuTask.Compare.class, name = "compare"),
    @JsonSubTypes.Type(value = GpuTask.CheckText.class, name = "checkText")
})
public sealed interface GpuTask {

    Problem problem();

    /** Of the input data. */
    long seed();

    /** The kernels that the worker builds, in the order in which the runner gets them. */
    @JsonIgnore
    List<BuiltKernel> kernels();

    /** Whether a process does it that has done nothing before. */
    boolean freshProcess();

    /** The families of these kernels, each once; none if the worker builds nothing. */
    @JsonIgnore
    default List<String> families() {
        return kernels().stream().map(BuiltKernel::family).distinct().toList();
    }

    /**
     * Time two kernels beside each other. Answer: {@link GpuTaskResult.Compared}.
     *
     * @param measureEqual whether two kernels with the same module and launch are timed all the same
     * @param stop when they have been timed for long enough
     * @param freshProcess whether a process times them that has done nothing before
     * @param proved whether the emulator is asked about each text first; what it refutes is not run
     * @param accept rules of the emulator, by name, that the texts may break; read where they are proved
     */
    record Compare(
            Problem problem,
            Side first,
            Side second,
            boolean measureEqual,
            long seed,
            StopRule stop,
            boolean freshProcess,
            boolean proved,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) List<String> accept)
            implements GpuTask {

        public Compare {
            accept = accept == null ? List.of() : List.copyOf(accept);
        }

        /** A comparison by the usual rule, in whatever process there is, of texts that nobody asks about. */
        public Compare(Problem problem, Side first, Side second, boolean measureEqual, long seed) {
            this(problem, first, second, measureEqual, seed, StopRule.COMPARISON, false, false, List.of());
        }

        /** Of each side of ours its kernel. */
        @Override
        public List<BuiltKernel> kernels() {
            return Stream.of(first, second)
                    .flatMap(side -> side instanceof Side.Own own ? Stream.of(built(own)) : Stream.empty())
                    .toList();
        }

        /**
         * The kernel of a side. Where one side is slowed, both have a wait in front, which is 0 for the other: then
         * they differ by the wait, and not by what it takes to look how long it is.
         */
        public BuiltKernel built(Side.Own own) {
            return new BuiltKernel(own.family(), own.config(), isSlowed());
        }

        /** Whether a side is slowed. */
        @JsonIgnore
        public boolean isSlowed() {
            return Stream.of(first, second).anyMatch(side -> side instanceof Side.Own own && own.slowedBy() != null);
        }
    }

    /**
     * Prove a text that a user brings, by the description of its launch; for an emulated GPU. Answer:
     * {@link GpuTaskResult.CheckedText}.
     *
     * @param ptx the text
     * @param launch its description, as YAML; it may name no file
     * @param entry the kernel of the text; {@code null} for what the description says, or the only one
     * @param seed of the first run
     * @param seeds how many runs
     * @param accept rules of the emulator, by name, that the text may break
     */
    record CheckText(
            String ptx,
            String launch,
            @Nullable String entry,
            long seed,
            int seeds,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) List<String> accept)
            implements GpuTask {

        /** The least there is: the launch says what is computed, and how much of it. */
        private static final Problem OF_THE_LAUNCH = Problem.of(new ProblemShape(1, 1, 1), DataType.BF16);

        public CheckText {
            accept = accept == null ? List.of() : List.copyOf(accept);
        }

        /** Holds the text to every rule. */
        public CheckText(String ptx, String launch, @Nullable String entry, long seed, int seeds) {
            this(ptx, launch, entry, seed, seeds, List.of());
        }

        @Override
        public Problem problem() {
            return OF_THE_LAUNCH;
        }

        @Override
        public List<BuiltKernel> kernels() {
            return List.of();
        }

        @Override
        public boolean freshProcess() {
            return false;
        }
    }

    /** One of two kernels. */
    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
    @JsonSubTypes({
        @JsonSubTypes.Type(value = Side.Own.class, name = "own"),
        @JsonSubTypes.Type(value = Side.OfPeer.class, name = "peer")
    })
    sealed interface Side {

        /**
         * The kernel of a config.
         *
         * @param family one of ours, or a bundle with its version
         * @param slowedBy a wait in front of the kernel makes a launch take so much longer: 0.01 is one percent;
         *     {@code null} for the kernel as it is
         * @param waitSteps the wait that does this, if it is known; {@code null} to find it first
         */
        record Own(
                String family,
                Config config,
                @Nullable Double slowedBy,
                @Nullable Long waitSteps) implements Side {

            /** A kernel may be slowed by more than nothing and by at most this. */
            public static final double MOST_SLOWED = 0.5;

            /**
             * The longest wait, in steps: about a second. A kernel that is slowed by half of itself waits so long if it
             * takes two.
             */
            public static final long MOST_WAIT = 100_000_000;

            public Own {
                if (slowedBy != null && !(slowedBy > 0 && slowedBy <= MOST_SLOWED)) {
                    throw new IllegalArgumentException(
                            "a kernel is slowed by more than 0 and at most " + MOST_SLOWED + ", got " + slowedBy);
                }
                if (waitSteps != null && (waitSteps < 1 || waitSteps > MOST_WAIT || slowedBy == null)) {
                    throw new IllegalArgumentException("a wait is of 1 to " + MOST_WAIT
                            + " steps and of a kernel that is slowed, got " + waitSteps);
                }
            }

            /** The kernel as it is. */
            public Own(String family, Config config) {
                this(family, config, null, null);
            }

            /** One whose wait is not known. */
            public Own(String family, Config config, @Nullable Double slowedBy) {
                this(family, config, slowedBy, null);
            }
        }

        /**
         * A kernel that the worker finds at run time.
         *
         * @param family such as {@code cublaslt}
         * @param algorithm which of its kernels; {@code null} for the one that it would choose by itself
         */
        record OfPeer(String family, @Nullable String algorithm) implements Side {}
    }
}
