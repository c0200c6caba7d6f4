package dev.tilewright.emulator.order;

import dev.tilewright.emulator.hazard.Site;
import org.jspecify.annotations.Nullable;

/** One instruction's access to memory, by one or several lanes. */
public final class Access {
    final Agent agent;
    final int epoch;
    final Manner manner;
    final Evidence evidence;
    /** The warp whose threads make it; null for asynchronous work. */
    final @Nullable WarpOrder warp;

    /** An access of asynchronous work. */
    public Access(Agent agent, int epoch, Manner manner, Evidence evidence) {
        this(agent, epoch, manner, evidence, null);
    }

    Access(Agent agent, int epoch, Manner manner, Evidence evidence, @Nullable WarpOrder warp) {
        this.agent = agent;
        this.epoch = epoch;
        this.manner = manner;
        this.evidence = evidence;
        this.warp = warp;
    }

    /** Whether it reads and writes in one step. */
    public boolean updates() {
        return manner.updates();
    }

    /** The kind of access, in a word or two. */
    public String what() {
        return manner.what();
    }

    public int epoch() {
        return epoch;
    }

    /** Whether it is a cp.async. */
    boolean ofThreadCopy() {
        return agent.kind() == Agent.Kind.THREAD_COPIES;
    }

    /** The site of the access; the lane matters only for threads. */
    Site site(int lane) {
        return warp == null ? evidence.site() : evidence.site(lane);
    }

    /** Whether both are strong and each scope includes the other's thread, so that no order is needed. */
    boolean morallyStrongWith(Access other) {
        return manner.strong()
                && other.manner.strong()
                && Manner.reaches(manner.scope(), agent, other.agent)
                && Manner.reaches(other.manner.scope(), other.agent, agent);
    }
}
