package dev.tilewright.emulator.order;

import dev.tilewright.emulator.hazard.Findings;
import dev.tilewright.emulator.hazard.Rule;
import dev.tilewright.ptx.type.Scope;
import dev.tilewright.ptx.type.Sem;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The order that each thread of a warp has acquired. Threads with the same order share one object, so a warp whose
 * lanes stay together costs little more than one thread.
 */
public final class WarpOrder {
    private static final int LANES = 32;

    /** The state that the fences of a lane have prepared. */
    private static final class Fenced {
        /** By scope: what the latest fence of that scope releases with the next strong write. */
        private final Map<Scope, HappenedBefore> releases = new EnumMap<>(Scope.class);

        /** Releases that relaxed reads have observed since. */
        private final List<Observation> observed = new ArrayList<>();
        /** The inits of barriers that a fence.mbarrier_init releases. */
        private HappenedBefore inits = HappenedBefore.START;
        /** The tcgen05 work that a tcgen05.fence::before_thread_sync hands over with whatever synchronises next. */
        private HappenedBefore tensor = HappenedBefore.START;
    }

    private final Order order;
    private final Agent threads;
    private final Agent inits;
    private final int firstThread;
    private final HappenedBefore[] known = new HappenedBefore[LANES];
    private final @Nullable Fenced[] fenced = new @Nullable Fenced[LANES];
    private final ProxyFences proxyFences = new ProxyFences(this);
    private @Nullable Agent copies;
    private final AnswerOrder answers;
    private @Nullable TensorOrder tensor;
    /** The order of a lane, while it issues work that is ordered only behind the lane's last fence. */
    private @Nullable HappenedBefore unfenced;
    /** cp.asyncs issued by all lanes. */
    private int copiesIssued;

    private final MissedOrders missed = new MissedOrders();
    private int epoch = 1;
    /** Lanes that have made a barrier. */
    private int initLanes;
    // The last join, which neighbouring lanes repeat.
    private HappenedBefore joinedFrom = HappenedBefore.START;
    private HappenedBefore joinedWith = HappenedBefore.START;
    private HappenedBefore joined = HappenedBefore.START;

    WarpOrder(Order order, Agent threads, Agent inits, int firstThread) {
        this.order = order;
        this.threads = threads;
        this.inits = inits;
        this.firstThread = firstThread;
        answers = new AnswerOrder(this, order);
        Arrays.fill(known, HappenedBefore.START);
    }

    Agent threads() {
        return threads;
    }

    /** Goes up whenever a lane releases. */
    public int epoch() {
        return epoch;
    }

    /** The access of an instruction in the current epoch. */
    public Access access(Manner manner, Evidence evidence) {
        return new Access(threads, epoch, manner, evidence, this);
    }

    /** An mbarrier.init, as of now. */
    Access initAccess(int lane, Evidence evidence) {
        initLanes |= 1 << lane;
        return new Access(inits, epoch, Manner.weak("mbarrier.init"), evidence, this);
    }

    /** The thread of the cluster that a lane is. */
    int clusterThread(int lane) {
        return firstThread + lane;
    }

    // ---- what a lane knows --------------------------------------------------------------------------------------

    /** Whether an access of some lane came before what a lane does now, and can be seen. */
    public boolean sees(Access earlier, int earlierLane, int lane) {
        return earlierLane == lane && (earlier.agent == threads || earlier.agent == inits)
                || known[lane].visible().covers(earlier.agent, earlierLane, earlier.epoch);
    }

    /** Whether asynchronous work is known to be over. */
    boolean knowsDone(Access earlier, int lane) {
        return known[lane].done().covers(earlier.agent, 0, earlier.epoch);
    }

    private HappenedBefore join(HappenedBefore from, HappenedBefore with) {
        if (from != joinedFrom || with != joinedWith) {
            joined = from.join(with);
            joinedFrom = from;
            joinedWith = with;
        }
        return joined;
    }

    /** The lanes learn something. */
    void acquire(int lanes, HappenedBefore knowledge) {
        if (knowledge == HappenedBefore.START) {
            return;
        }
        for (int rest = lanes; rest != 0; rest &= rest - 1) {
            int lane = Integer.numberOfTrailingZeros(rest);
            known[lane] = join(known[lane], knowledge);
        }
    }

    /** The lanes have waited for the asynchronous work of an agent up to an epoch. */
    public void completed(int lanes, Agent agent, int until) {
        if (until <= 0) {
            return;
        }
        acquire(lanes, HappenedBefore.of(Clock.of(agent, until)));
    }

    /** A cp.async of a lane, as of now: it reads and writes while its thread goes on. */
    public Access copyAccess(Manner manner, Evidence evidence) {
        return new Access(copies(), ++copiesIssued, manner, evidence, this);
    }

    /** The agent of the cp.asyncs of all lanes. */
    public Agent copies() {
        Agent agent = copies;
        if (agent == null) {
            agent = order.copies(threads);
            copies = agent;
        }
        return agent;
    }

    /** A lane has waited for its cp.asyncs up to one of them. */
    public void copiesDone(int lane, Access last) {
        acquire(1 << lane, HappenedBefore.of(Clock.START.with(copies(), 1 << lane, last.epoch)));
    }

    /** A lane synchronises with a scope that is too narrow for it to see what others did. */
    void acquireNarrow(int lane, HappenedBefore knowledge) {
        known[lane] = known[lane].joinNarrow(knowledge);
    }

    /** A lane gets a sign of what happened from a synchronisation that is too weak or too narrow for an order. */
    void hear(int lane, HappenedBefore knowledge) {
        known[lane] = known[lane].joinTold(knowledge);
    }

    /** Whether a lane has a sign that an access came before what it does now, be it by an order or not. */
    public boolean hasSignOf(Access earlier, int earlierLane, int lane) {
        return known[lane].told().covers(earlier.agent, earlierLane, earlier.epoch);
    }

    /** The order that the lanes pass on if they release now. Later accesses are no part of it. */
    HappenedBefore release(int lanes) {
        HappenedBefore released = glimpse(lanes).with(threads, lanes, epoch).with(inits, lanes, epoch);
        epoch++;
        return released;
    }

    /** The order that the lanes have acquired, for evidence, without their own accesses. */
    HappenedBefore glimpse(int lanes) {
        HappenedBefore all = HappenedBefore.START;
        for (int rest = lanes; rest != 0; rest &= rest - 1) {
            all = all.join(known[Integer.numberOfTrailingZeros(rest)]);
        }
        return all;
    }

    /** Begins a new epoch: later accesses are no part of earlier releases. */
    void nextEpoch() {
        epoch++;
    }

    /** bar.warp.sync: the lanes have met. */
    public void meet(int lanes) {
        acquire(lanes, release(lanes));
    }

    // ---- fences -------------------------------------------------------------------------------------------------

    private Fenced fenced(int lane) {
        Fenced known = fenced[lane];
        if (known == null) {
            known = new Fenced();
            fenced[lane] = known;
        }
        return known;
    }

    /**
     * A fence; an acquiring one takes over what relaxed reads saw, a releasing one prepares what relaxed writes
     * release.
     */
    public void fence(int lane, Sem sem, Scope scope) {
        Fenced own = fenced(lane);
        if (sem != Sem.RELEASE) {
            own.observed.removeIf(seen -> {
                boolean reaches = scope.compareTo(seen.needed()) >= 0;
                if (reaches) {
                    acquire(1 << lane, seen.knowledge());
                }
                return reaches;
            });
        }
        if (sem == Sem.SC) {
            order.sequential().fence(this, lane, scope);
        }
        if (sem != Sem.ACQUIRE) {
            own.releases.put(scope, release(1 << lane));
        }
    }

    /** fence.mbarrier_init. */
    public void fenceInit(int lane) {
        Fenced own = fenced(lane);
        own.inits = HappenedBefore.of(Clock.START.with(inits, 1 << lane, epoch++));
    }

    /** The inits of barriers by some lanes until now. */
    HappenedBefore inits(int lanes) {
        return (lanes & initLanes) == 0
                ? HappenedBefore.START
                : HappenedBefore.of(Clock.START.with(inits, lanes & initLanes, epoch));
    }

    /** fence.proxy.async. It orders the inits of barriers before asynchronous accesses too. */
    public void fenceProxy(int lanes, boolean shared, boolean global, Evidence evidence) {
        for (int rest = lanes & initLanes; rest != 0; rest &= rest - 1) {
            fenceInit(Integer.numberOfTrailingZeros(rest));
        }
        proxyFences.add(lanes, shared, global, evidence);
        order.fencedProxy(this);
        epoch++;
    }

    /**
     * Whether a fence.proxy.async came between an ordinary write, or a cp.async's, and what a lane does now: by the
     * writer, by the lane, or by anybody between them.
     *
     * @param global whether the memory is global, not shared
     */
    boolean proxySees(Access write, int writeLane, int lane, boolean global) {
        WarpOrder writer = write.warp;
        if (writer != null && writer.proxyFences.isBetween(write, writeLane, this, lane, global)) {
            return true;
        }
        for (WarpOrder other : order.fencedProxies()) {
            if (other != writer && other.proxyFences.isBetween(write, writeLane, this, lane, global)) {
                return true;
            }
        }
        return false;
    }

    /** A fence.proxy.async of the writing warp behind a write, whether or not anything comes behind it. */
    static Optional<Evidence> fenceBehind(Access write, int writeLane, boolean global) {
        WarpOrder writer = write.warp;
        return writer == null ? Optional.empty() : writer.proxyFences.behind(write, writeLane, global);
    }

    /** Its fences between the proxies for answers of try_cancel. */
    public AnswerOrder answers() {
        return answers;
    }

    /** The order that relaxed writes of the lane release because of earlier fences. */
    List<Release> fencedReleases(int lane) {
        Fenced own = fenced[lane];
        if (own == null) {
            return List.of();
        }
        List<Release> result = new ArrayList<>();
        own.releases.forEach((scope, knowledge) -> result.add(new Release(knowledge, scope)));
        if (own.inits != HappenedBefore.START) {
            result.add(new Release(own.inits, Scope.CLUSTER));
        }
        if (own.tensor != HappenedBefore.START) {
            result.add(new Release(own.tensor, Scope.SYS));
        }
        return result;
    }

    /** A relaxed read saw a release. */
    void observe(int lane, Observation observation) {
        if (observation.knowledge() != HappenedBefore.START) {
            List<Observation> observed = fenced(lane).observed;
            observed.removeIf(old -> old.needed() == observation.needed()
                    && old.knowledge().join(observation.knowledge()) == observation.knowledge());
            observed.add(observation);
        }
    }

    // ---- tensor memory ------------------------------------------------------------------------------------------

    /** The order of accesses to tensor memory. */
    public TensorOrder tensor() {
        TensorOrder known = tensor;
        if (known == null) {
            known = new TensorOrder(this, order);
            tensor = known;
        }
        return known;
    }

    /** All that a lane knows, and what its relaxed reads saw: a tcgen05 fence composes with any synchronisation. */
    HappenedBefore observed(int lane) {
        HappenedBefore all = known[lane];
        Fenced own = fenced[lane];
        if (own != null) {
            for (Observation seen : own.observed) {
                all = all.join(seen.knowledge());
            }
        }
        return all;
    }

    HappenedBefore known(int lane) {
        return known[lane];
    }

    /** All that a lane knows, whatever it issues. */
    HappenedBefore whole(int lane) {
        HappenedBefore all = unfenced;
        return all == null ? known[lane] : all;
    }

    /** From now on the lane hands tcgen05 work over with whatever it synchronises by, relaxed or not. */
    void handTensor(int lane, HappenedBefore work) {
        Fenced own = fenced(lane);
        own.tensor = own.tensor.join(work);
        known[lane] = join(known[lane], work);
    }

    /** A lane issues work that reads what it had acquired at its last tcgen05.fence::after_thread_sync alone. */
    public void issueTensorWork(int lane, Runnable issue) {
        HappenedBefore all = known[lane];
        HappenedBefore acquired = tensor().acquired(lane);
        unfenced = all;
        known[lane] = acquired;
        try {
            issue.run();
        } finally {
            known[lane] = known[lane] == acquired ? all : known[lane].join(all);
            unfenced = null;
        }
    }

    // ---- evidence -----------------------------------------------------------------------------------------------

    /** Lanes did not learn what they could have. */
    void miss(int lanes, Missed order) {
        missed.add(lanes, order);
    }

    /** Why a lane does not know of an access, if a weak or narrow synchronisation is the reason. */
    @Nullable
    String whyNot(Access earlier, int earlierLane, int lane) {
        HappenedBefore all = unfenced;
        if (all != null && all.visible().covers(earlier.agent, earlierLane, earlier.epoch)) {
            return TensorOrder.MISSING_AFTER;
        }
        Missed by = missed.of(earlier, earlierLane, lane);
        return by == null ? null : by.words().get();
    }

    /** The synchronisation that was too weak or too narrow for any lane to know of an access; null if there is none. */
    @Nullable
    Missed missed(Access earlier, int earlierLane) {
        return missed.of(earlier, earlierLane, 0);
    }

    /** The rule that is broken if a lane must come behind an access of which it does not know. */
    Rule broken(Access earlier, int earlierLane, int lane) {
        HappenedBefore all = unfenced;
        if (all != null && all.wider().covers(earlier.agent, earlierLane, earlier.epoch)) {
            return Rule.TCGEN05_OPERAND_SYNC;
        }
        if (!known[lane].wider().covers(earlier.agent, earlierLane, earlier.epoch)) {
            return Rule.RACE;
        }
        return earlier.agent.kind() == Agent.Kind.INITS ? Rule.INIT_UNFENCED : Rule.CLUSTER_SCOPE;
    }

    /** From now on a lane knows what it would know had it kept a rule. */
    void grant(Rule rule, int lane) {
        HappenedBefore all = unfenced;
        if (rule == Rule.TCGEN05_OPERAND_SYNC && all != null) {
            known[lane] = all;
            tensor().fenceAfter(1 << lane);
        }
        known[lane] = known[lane].join(HappenedBefore.of(known[lane].wider()));
    }

    /** The findings of the run. */
    Findings findings() {
        return order.findings();
    }

    /** Whether any lane of the warp knows of an access. */
    boolean someLaneSees(Access earlier, int earlierLane) {
        for (int lane = 0; lane < LANES; lane++) {
            if (sees(earlier, earlierLane, lane)) {
                return true;
            }
        }
        return false;
    }
}
