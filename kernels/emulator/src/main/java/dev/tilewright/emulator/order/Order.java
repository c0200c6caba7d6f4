package dev.tilewright.emulator.order;

import dev.tilewright.emulator.hazard.Findings;
import dev.tilewright.ptx.type.Scope;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The order of one run: its agents, and which thread acts at the moment. */
public final class Order {
    /** fence.sc of all threads: each comes behind those that it reaches and that reach it. PTX 8.9.3. */
    static final class Sequential {
        private final Map<Integer, HappenedBefore> ofCta = new HashMap<>();
        private final Map<Integer, HappenedBefore> ofCluster = new HashMap<>();
        private HappenedBefore ofAll = HappenedBefore.START;

        void fence(WarpOrder warp, int lane, Scope scope) {
            Agent own = warp.threads();
            int lanes = 1 << lane;
            warp.acquire(lanes, ofCta.getOrDefault(own.cta(), HappenedBefore.START));
            if (scope.compareTo(Scope.CLUSTER) >= 0) {
                warp.acquire(lanes, ofCluster.getOrDefault(own.cluster(), HappenedBefore.START));
            }
            if (scope.compareTo(Scope.GPU) >= 0) {
                warp.acquire(lanes, ofAll);
            }
            HappenedBefore released = warp.release(lanes);
            ofCta.merge(own.cta(), released, HappenedBefore::join);
            if (scope.compareTo(Scope.CLUSTER) >= 0) {
                ofCluster.merge(own.cluster(), released, HappenedBefore::join);
            }
            if (scope.compareTo(Scope.GPU) >= 0) {
                ofAll = ofAll.join(released);
            }
        }
    }

    /** Beside the clusters of the launch, which count from 0. */
    private static final int OF_NO_CLUSTER = Integer.MAX_VALUE;

    private final Findings findings = new Findings();
    private final Sequential sequential = new Sequential();
    private final Map<Integer, Integer> agents = new HashMap<>();
    /** Warps that have executed a fence.proxy.async. */
    private final Set<WarpOrder> fencedProxies = new LinkedHashSet<>();
    /** Warps that have released what they read of answers of try_cancel. */
    private final Set<AnswerOrder> releasedAnswers = new LinkedHashSet<>();

    private @Nullable Actor acting;
    /** The grid ahead, if the launch may start before it has ended. */
    private @Nullable Agent gridAhead;

    /** A thread acts from now on, or nobody: asynchronous work goes on. */
    public void acts(@Nullable Actor actor) {
        acting = actor;
    }

    /** The acting lanes; null while asynchronous work runs. */
    public @Nullable Actor acting() {
        return acting;
    }

    /** The launch starts while the grid ahead of it may still write anywhere in global memory. */
    public void startsEarly() {
        gridAhead = agent(Agent.Kind.GRID_AHEAD, OF_NO_CLUSTER, OF_NO_CLUSTER, "the grid ahead");
    }

    /** Lanes of a warp have waited for the end of the grid ahead. */
    public void behindGridAhead(WarpOrder warp, int lanes) {
        Agent ahead = gridAhead;
        if (ahead != null) {
            warp.completed(lanes, ahead, 1);
        }
    }

    /** Whether what an actor does now may meet the grid ahead at its work. */
    public boolean mayMeetGridAhead(Actor actor) {
        Agent ahead = gridAhead;
        return ahead != null && !actor.order().known(actor.lane()).visible().covers(ahead, 0, 1);
    }

    /** The findings of the run. */
    public Findings findings() {
        return findings;
    }

    Sequential sequential() {
        return sequential;
    }

    void fencedProxy(WarpOrder warp) {
        fencedProxies.add(warp);
    }

    void releasedAnswers(AnswerOrder answers) {
        releasedAnswers.add(answers);
    }

    Set<AnswerOrder> releasedAnswers() {
        return releasedAnswers;
    }

    Set<WarpOrder> fencedProxies() {
        return fencedProxies;
    }

    /** The agent of a warp's cp.asyncs. */
    Agent copies(Agent warp) {
        return agent(Agent.Kind.THREAD_COPIES, warp.cluster(), warp.cta(), warp.lanes(), "its thread");
    }

    /** Another agent of a cluster. */
    public Agent agent(Agent.Kind kind, int cluster, int cta, String name) {
        return agent(kind, cluster, cta, 1, name);
    }

    /** As above, with lanes of which something may be known one by one. */
    Agent agent(Agent.Kind kind, int cluster, int cta, int lanes, String name) {
        int index = agents.merge(cluster, 1, Integer::sum) - 1;
        return new Agent(kind, cluster, cta, index, lanes, name);
    }

    /**
     * The order of a new warp: it comes behind the launch and nothing else.
     *
     * @param lanes that it has
     * @param firstThread of the cluster that is its lane 0
     */
    public WarpOrder warp(int cluster, int cta, int lanes, int firstThread) {
        return new WarpOrder(
                this,
                agent(Agent.Kind.WARP, cluster, cta, lanes, ""),
                agent(Agent.Kind.INITS, cluster, cta, lanes, ""),
                firstThread);
    }
}
