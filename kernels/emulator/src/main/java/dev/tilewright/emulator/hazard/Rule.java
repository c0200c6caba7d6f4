package dev.tilewright.emulator.hazard;

import java.util.Arrays;
import java.util.Optional;
import java.util.Set;

/**
 * The rules that a kernel may break, by names that stay. {@code docs/emulator/rules.md} says of each what the manual
 * says and how hardware behaves.
 */
public enum Rule {
    DEADLOCK("deadlock"),
    NO_PROGRESS("no-progress"),
    READ_BEFORE_COPY("read-before-copy"),
    OVERWRITTEN_WHILE_READ("overwritten-while-read"),
    OVERWRITTEN_UNREAD("overwritten-unread"),
    MISSING_PROXY_FENCE("missing-proxy-fence"),
    ACCUMULATOR_IN_FLIGHT("accumulator-in-flight"),
    FRAGMENT_IN_FLIGHT("fragment-in-flight"),
    MISSING_WGMMA_FENCE("missing-wgmma-fence"),
    TENSOR_LOAD_IN_FLIGHT("tensor-load-in-flight"),
    TENSOR_MEMORY_MISUSE("tensor-memory-misuse"),
    LAUNCH_CONTROL_MISUSE("launch-control-misuse"),
    EARLY_EXIT("early-exit"),
    EXITED_CTA("exited-cta"),
    UNBALANCED_TX("unbalanced-tx"),
    NO_BARRIER("no-barrier"),
    INIT_NOT_VISIBLE("init-not-visible"),
    BARRIER_MISUSE("barrier-misuse"),
    PHASE_OVERRUN("phase-overrun"),
    RACE("race"),
    RELAXED_MESSAGE("relaxed-message"),
    GRID_AHEAD_NOT_AWAITED("grid-ahead-not-awaited"),
    UNINITIALISED_READ("uninitialised-read"),
    OUT_OF_BOUNDS("out-of-bounds"),
    MISALIGNED("misaligned"),
    BAD_DESCRIPTOR("bad-descriptor"),
    LEAKED_WORK("leaked-work"),
    REGISTER_POOL("register-pool"),
    DIVERGENT("divergent"),
    TRAPPED("trapped"),
    BAD_OPERAND("bad-operand"),
    /** An access to tensor memory lacks tcgen05.fence::after_thread_sync behind what orders it. */
    TCGEN05_AFTER_SYNC("tcgen05-after-sync", Weight.VENDOR_IDIOM),
    /** Loads or stores of tensor memory lack tcgen05.fence::before_thread_sync behind their wait. */
    TCGEN05_BEFORE_SYNC("tcgen05-before-sync", Weight.VENDOR_IDIOM),
    /** A tcgen05.mma or .cp lacks the fence between the wait for its operands in shared memory and itself. */
    TCGEN05_OPERAND_SYNC("tcgen05-operand-sync", Weight.VENDOR_IDIOM),
    /** An mbarrier's arrival or wait of CTA scope, where the other side is in another CTA. */
    CLUSTER_SCOPE("cluster-scope", Weight.VENDOR_IDIOM),
    /**
     * An mbarrier.init that a relaxed cluster barrier does not hand over, for no fence.mbarrier_init came before it.
     */
    INIT_UNFENCED("init-unfenced", Weight.VENDOR_IDIOM),
    /** The last cluster barrier is arrived at relaxed, so that nothing keeps a CTA alive for others' accesses. */
    RELAXED_EXIT_BARRIER("relaxed-exit-barrier", Weight.VENDOR_IDIOM),
    /** A copy goes over what threads have read, without a fence.proxy.async between them. */
    REUSE_UNFENCED("reuse-unfenced", Weight.VENDOR_IDIOM),
    /** A CTA ends while a bulk store still reads its shared memory. */
    BULK_READ_AT_EXIT("bulk-read-at-exit", Weight.VENDOR_IDIOM),
    /** A CTA ends while the arrival of a tcgen05.commit is on its way to it. */
    ARRIVAL_AT_EXIT("arrival-at-exit", Weight.ACCEPTABLE),
    /** A CTA of a pair gives tensor memory back and does not know that the other has got it. */
    PAIR_DEALLOC_EARLY("pair-dealloc-early", Weight.WARNS);

    /** The group of rules that NVIDIA's own kernels break. */
    public static final String VENDOR_IDIOMS = "vendor-idioms";

    private enum Weight {
        /** The run ends: nothing sensible follows. */
        ENDS,
        /** The run goes on, for what follows does not depend on it. */
        ACCEPTABLE,
        /** As well, and NVIDIA's own kernels break it. */
        VENDOR_IDIOM,
        /** The run goes on, and the kernel may be right: it is told and decides nothing. */
        WARNS
    }

    private final String text;
    private final Weight weight;

    Rule(String text) {
        this(text, Weight.ENDS);
    }

    Rule(String text, Weight weight) {
        this.text = text;
        this.weight = weight;
    }

    /** The name. */
    public String text() {
        return text;
    }

    /** Whether no run goes on behind it. */
    public boolean ends() {
        return weight == Weight.ENDS;
    }

    /** Whether a run goes on behind it and a user may accept it. */
    public boolean acceptable() {
        return weight == Weight.ACCEPTABLE || weight == Weight.VENDOR_IDIOM;
    }

    /** Whether it is told and decides nothing. */
    public boolean warns() {
        return weight == Weight.WARNS;
    }

    /** Whether a kernel may break it where some rules are accepted. */
    public boolean passes(Set<Rule> accepted) {
        return warns() || accepted.contains(this);
    }

    /** Whether it belongs to the group {@value #VENDOR_IDIOMS}. */
    public boolean vendorIdiom() {
        return weight == Weight.VENDOR_IDIOM;
    }

    /** The rule of that name. */
    public static Optional<Rule> named(String text) {
        return Arrays.stream(values()).filter(rule -> rule.text.equals(text)).findFirst();
    }

    /** The rule that a hazard breaks, unless whoever found it knows a narrower one. */
    static Rule of(Hazard hazard) {
        return switch (hazard) {
            case Hazard.Deadlock _ -> DEADLOCK;
            case Hazard.NoProgress _ -> NO_PROGRESS;
            case Hazard.ReadBeforeCopy _ -> READ_BEFORE_COPY;
            case Hazard.OverwrittenWhileRead _ -> OVERWRITTEN_WHILE_READ;
            case Hazard.OverwrittenUnread _ -> OVERWRITTEN_UNREAD;
            case Hazard.MissingProxyFence _ -> MISSING_PROXY_FENCE;
            case Hazard.AccumulatorInFlight _ -> ACCUMULATOR_IN_FLIGHT;
            case Hazard.FragmentInFlight _ -> FRAGMENT_IN_FLIGHT;
            case Hazard.MissingWgmmaFence _ -> MISSING_WGMMA_FENCE;
            case Hazard.TensorLoadInFlight _ -> TENSOR_LOAD_IN_FLIGHT;
            case Hazard.TensorMemoryMisuse _ -> TENSOR_MEMORY_MISUSE;
            case Hazard.LaunchControlMisuse _ -> LAUNCH_CONTROL_MISUSE;
            case Hazard.EarlyExit _ -> EARLY_EXIT;
            case Hazard.ExitedCta _ -> EXITED_CTA;
            case Hazard.UnbalancedTx _ -> UNBALANCED_TX;
            case Hazard.NoBarrier _ -> NO_BARRIER;
            case Hazard.InitNotVisible _ -> INIT_NOT_VISIBLE;
            case Hazard.BarrierMisuse _ -> BARRIER_MISUSE;
            case Hazard.PhaseOverrun _ -> PHASE_OVERRUN;
            case Hazard.Race _ -> RACE;
            case Hazard.RelaxedMessage _ -> RELAXED_MESSAGE;
            case Hazard.GridAheadNotAwaited _ -> GRID_AHEAD_NOT_AWAITED;
            case Hazard.UninitialisedRead _ -> UNINITIALISED_READ;
            case Hazard.OutOfBounds _ -> OUT_OF_BOUNDS;
            case Hazard.Misaligned _ -> MISALIGNED;
            case Hazard.BadDescriptor _ -> BAD_DESCRIPTOR;
            case Hazard.LeakedWork _ -> LEAKED_WORK;
            case Hazard.RegisterPool _ -> REGISTER_POOL;
            case Hazard.Divergent _ -> DIVERGENT;
            case Hazard.Trapped _ -> TRAPPED;
            case Hazard.BadOperand _ -> BAD_OPERAND;
        };
    }
}
