package dev.tilewright.emulator.order;

import dev.tilewright.emulator.hazard.Rule;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The order of the threads of a warp behind accesses to tensor memory. Asynchronous tcgen05 work comes behind the order
 * that its thread had at its last tcgen05.fence::after_thread_sync, and behind work of its own thread that the tensor
 * core keeps in order or for which the thread has waited. PTX 9.7.16.6.
 */
public final class TensorOrder {
    static final String MISSING_AFTER =
            "no tcgen05.fence::after_thread_sync stands between the synchronisation that orders them and the later one";

    private static final String NOT_PIPELINED =
            "the tensor core does not keep these two in order, and no wait for a tcgen05.commit says that the earlier"
                    + " one is done";
    private static final int LANES = 32;
    private static final int ALL = -1;

    /** The multiplications and copies of a thread. */
    private static final class Works {
        private final Agent done;
        private final Agent issue;
        /** Work of other threads that the tensor core does before some of this one. */
        private Clock implied = Clock.START;

        private int issued;

        Works(Agent done, Agent issue) {
            this.done = done;
            this.issue = issue;
        }
    }

    /**
     * The loads, or the stores, of a warp. To other threads each lane hands over its own part: tcgen05.wait::ld blocks
     * a thread for what that thread has issued. PTX 9.7.16.8.
     */
    private static final class Moves {
        private final Agent fenced;
        private final Agent over;
        private int issued;
        private int waited;

        Moves(Agent fenced, Agent over) {
            this.fenced = fenced;
            this.over = over;
        }
    }

    private final WarpOrder warp;
    private final Order order;
    private final Moves loads;
    private final Moves stores;
    private final Map<Integer, Works> threads = new HashMap<>();
    private final HappenedBefore[] ordered = new HappenedBefore[LANES];
    /** The order that each lane had acquired at its last fence. */
    private final HappenedBefore[] acquired = new HappenedBefore[LANES];

    TensorOrder(WarpOrder warp, Order order) {
        this.warp = warp;
        this.order = order;
        String name = "the warp of threads " + warp.clusterThread(0) + ".. of the cluster";
        loads = new Moves(byLane(Agent.Kind.TENSOR_LOADS, name), agent(Agent.Kind.TENSOR_LOADS_OVER, name));
        stores = new Moves(byLane(Agent.Kind.TENSOR_STORES, name), agent(Agent.Kind.TENSOR_STORES_OVER, name));
        Arrays.fill(ordered, HappenedBefore.START);
        Arrays.fill(acquired, HappenedBefore.START);
    }

    private Agent agent(Agent.Kind kind, String name) {
        Agent own = warp.threads();
        return order.agent(kind, own.cluster(), own.cta(), name);
    }

    private Agent byLane(Agent.Kind kind, String name) {
        Agent own = warp.threads();
        return order.agent(kind, own.cluster(), own.cta(), ALL, name);
    }

    private Works works(int lane) {
        return threads.computeIfAbsent(lane, unused -> {
            String name = "thread " + warp.clusterThread(lane) + " of the cluster";
            return new Works(agent(Agent.Kind.TENSOR_WORK, name), agent(Agent.Kind.TENSOR_ISSUE, name));
        });
    }

    // ---- accesses -----------------------------------------------------------------------------------------------

    /**
     * A tcgen05.mma of a lane, as of now.
     *
     * @param pipeline the same for multiplications of one shape into the same accumulators, which stay in order
     */
    public TensorAccess multiply(int lane, Manner manner, Evidence evidence, long pipeline) {
        return work(TensorAccess.Kind.MULTIPLY, lane, manner, evidence, pipeline);
    }

    /** A tcgen05.cp of a lane, as of now. */
    public TensorAccess copy(int lane, Manner manner, Evidence evidence) {
        return work(TensorAccess.Kind.COPY, lane, manner, evidence, 0);
    }

    private TensorAccess work(TensorAccess.Kind kind, int lane, Manner manner, Evidence evidence, long pipeline) {
        Works works = works(lane);
        Access access = new Access(works.done, ++works.issued, manner, evidence);
        return new TensorAccess(kind, access, works.issue, pipeline);
    }

    /** All multiplications and copies that a lane has issued: what a tcgen05.commit tracks. */
    public CommitOrder issued(int lane, Manner manner, Evidence evidence) {
        Works works = works(lane);
        return new CommitOrder(
                new Access(works.done, works.issued, manner, evidence),
                ordered[lane].join(HappenedBefore.of(works.implied)));
    }

    /** A tcgen05.ld of the warp, as of now. */
    public TensorAccess load(Manner manner, Evidence evidence) {
        return move(TensorAccess.Kind.LOAD, loads, manner, evidence);
    }

    /** A tcgen05.st of the warp, as of now. */
    public TensorAccess store(Manner manner, Evidence evidence) {
        return move(TensorAccess.Kind.STORE, stores, manner, evidence);
    }

    private static TensorAccess move(TensorAccess.Kind kind, Moves moves, Manner manner, Evidence evidence) {
        return new TensorAccess(kind, new Access(moves.fenced, ++moves.issued, manner, evidence), moves.over, 0);
    }

    // ---- waits and fences ---------------------------------------------------------------------------------------

    /** tcgen05.wait::ld. */
    public void waitLoads() {
        wait(loads);
    }

    /** tcgen05.wait::st. */
    public void waitStores() {
        wait(stores);
    }

    /** Later tcgen05 work of the warp comes behind; for other threads the moves are over, but not yet in order. */
    private void wait(Moves moves) {
        if (moves.waited == moves.issued) {
            return;
        }
        moves.waited = moves.issued;
        HappenedBefore done = HappenedBefore.of(Clock.of(moves.fenced, moves.waited));
        HappenedBefore from = ordered[0];
        HappenedBefore joined = from.join(done);
        for (int lane = 0; lane < LANES; lane++) {
            ordered[lane] = ordered[lane] == from ? joined : ordered[lane].join(done);
        }
        warp.acquire(ALL, HappenedBefore.of(Clock.of(moves.over, moves.waited)));
    }

    /** tcgen05.fence::before_thread_sync. */
    public void fenceBefore(int lanes) {
        for (int rest = lanes; rest != 0; rest &= rest - 1) {
            int lane = Integer.numberOfTrailingZeros(rest);
            Clock handed = Clock.START;
            handed = with(handed, loads.fenced, 1 << lane, loads.waited);
            handed = with(handed, stores.fenced, 1 << lane, stores.waited);
            Works own = threads.get(lane);
            if (own != null) {
                handed = with(handed, own.issue, 1, own.issued);
                int done = doneOf(own, ordered[lane]);
                handed = with(handed, own.done, 1, done);
                handed = done == own.issued ? handed.join(own.implied) : handed;
            }
            warp.handTensor(lane, HappenedBefore.of(handed));
        }
    }

    private static Clock with(Clock clock, Agent agent, int lanes, int epoch) {
        return epoch > 0 ? clock.with(agent, lanes, epoch) : clock;
    }

    /** Whether an access is known whole: of a warp's loads and stores the part of each lane. */
    private static boolean covers(Clock clock, Access access) {
        Agent agent = access.agent;
        if (agent.lanes() != ALL) {
            return clock.covers(agent, 0, access.epoch);
        }
        for (int lane = 0; lane < LANES; lane++) {
            if (!clock.covers(agent, lane, access.epoch)) {
                return false;
            }
        }
        return true;
    }

    private static boolean someLane(Clock clock, Access access) {
        return IntStream.range(0, LANES).anyMatch(lane -> clock.covers(access.agent, lane, access.epoch));
    }

    /** The latest of a thread's works that it knows to be done. */
    private static int doneOf(Works works, HappenedBefore known) {
        int low = 0;
        int high = works.issued;
        while (low < high) {
            int middle = (low + high + 1) / 2;
            if (known.visible().covers(works.done, 0, middle)) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return low;
    }

    /** tcgen05.fence::after_thread_sync. */
    public void fenceAfter(int lanes) {
        for (int rest = lanes; rest != 0; rest &= rest - 1) {
            int lane = Integer.numberOfTrailingZeros(rest);
            ordered[lane] = ordered[lane].join(warp.observed(lane));
            acquired[lane] = warp.known(lane);
        }
    }

    /**
     * The order behind which tcgen05 work that a lane issues now reads shared memory. The writers are no tcgen05 work,
     * so a relaxed wait is not enough.
     */
    HappenedBefore acquired(int lane) {
        return acquired[lane];
    }

    // ---- what must come before ----------------------------------------------------------------------------------

    /**
     * Requires that what lanes do now comes behind an earlier access.
     *
     * @param later what they do
     */
    void require(Actor actor, int lanes, TensorAccess later, TensorAccess earlier, Supplier<String> range) {
        Access before = earlier.access();
        @Nullable HappenedBefore same = null;
        for (int rest = lanes; rest != 0; rest &= rest - 1) {
            int lane = Integer.numberOfTrailingZeros(rest);
            HappenedBefore known = ordered[lane];
            if (known == same) {
                continue;
            }
            same = known;
            // That it is over, as narrow synchronisation tells, is not enough: 9.7.16.6.3 asks for moral strength.
            Clock clock = known.visible();
            if (covers(clock, before)) {
                continue;
            }
            boolean pipelined = later.follows(earlier)
                    && (later.access().agent == before.agent || clock.covers(earlier.weaker(), 0, before.epoch));
            if (pipelined) {
                follow(lane, before, later.access());
            } else {
                Rule rule = broken(lane, earlier, later);
                warp.findings()
                        .report(
                                rule,
                                later.access().evidence.statement(),
                                () -> Races.tensorRace(
                                        actor, lane, earlier, later, range.get(), missing(lane, earlier, later)));
                grant(rule, lane, before);
            }
        }
    }

    /** Work of a lane completes behind work of another thread: if the later is complete, so is the earlier. */
    private void follow(int lane, Access before, Access later) {
        Works own = works(lane);
        if (before.agent != later.agent && !own.implied.covers(before.agent, 0, before.epoch)) {
            own.implied = own.implied.with(before.agent, 1, before.epoch);
        }
    }

    /** From now on a lane's work comes behind what it would come behind had the rule been kept. */
    private void grant(Rule rule, int lane, Access before) {
        if (rule == Rule.TCGEN05_AFTER_SYNC) {
            fenceAfter(1 << lane);
        } else {
            ordered[lane] = ordered[lane].join(
                    HappenedBefore.of(Clock.START.with(before.agent, before.agent.lanes(), before.epoch)));
        }
    }

    /** The rule that is broken where an access must come behind an earlier one and does not. */
    private Rule broken(int lane, TensorAccess earlier, TensorAccess later) {
        Access before = earlier.access();
        boolean move = earlier.kind().isMove();
        if (before.agent == later.access().agent && !move) {
            return Rule.RACE;
        }
        HappenedBefore seen = warp.observed(lane);
        if (covers(seen.visible(), before)) {
            return Rule.TCGEN05_AFTER_SYNC;
        }
        if (move && seen.visible().covers(earlier.weaker(), 0, before.epoch)) {
            return Rule.TCGEN05_BEFORE_SYNC;
        }
        boolean wider = covers(seen.wider(), before) || move && seen.wider().covers(earlier.weaker(), 0, before.epoch);
        return wider ? Rule.CLUSTER_SCOPE : Rule.RACE;
    }

    private @Nullable String missing(int lane, TensorAccess earlier, TensorAccess later) {
        Access before = earlier.access();
        if (before.agent == later.access().agent && !earlier.kind().isMove()) {
            return NOT_PIPELINED;
        }
        Clock seen = warp.observed(lane).visible();
        if (covers(seen, before)) {
            return MISSING_AFTER;
        }
        if (earlier.kind().isMove() && someLane(seen, before)) {
            return "not every lane of the earlier one's warp has handed over its part: whoever synchronises for the warp"
                    + " does so behind a bar.warp.sync";
        }
        if (seen.covers(earlier.weaker(), 0, before.epoch)) {
            return switch (earlier.kind()) {
                case LOAD, STORE ->
                    "no tcgen05.fence::before_thread_sync stands between the wait for the earlier one and the"
                            + " synchronisation";
                case MULTIPLY, COPY -> NOT_PIPELINED;
            };
        }
        return null;
    }

    /** Requires that an access is over, in plain order: what tcgen05.dealloc needs. */
    void requireOver(Actor actor, TensorAccess earlier, Supplier<String> range) {
        Access before = earlier.access();
        Clock known = warp.known(actor.lane()).done();
        boolean over =
                covers(known, before) || earlier.kind().isMove() && known.covers(earlier.weaker(), 0, before.epoch);
        if (!over) {
            throw Races.tensorRace(actor, actor.lane(), earlier, null, range.get(), null);
        }
    }
}
