package dev.tilewright.emulator.order;

import dev.tilewright.emulator.hazard.Hazard;
import dev.tilewright.emulator.hazard.HazardFound;
import dev.tilewright.emulator.hazard.Rule;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Says what is missing between two accesses. */
final class Races {
    private Races() {}

    /**
     * Reports that what an actor does now comes behind an earlier access by no order.
     *
     * @param later the access that it makes, or that it has issued
     * @param range in terms of variables or buffers
     */
    static void report(Actor actor, Access earlier, int earlierLane, Access later, Supplier<String> range) {
        WarpOrder warp = actor.order();
        Rule rule = later.manner.coherent() ? warp.broken(earlier, earlierLane, actor.lane()) : Rule.RACE;
        warp.findings().report(rule, later.evidence.statement(), () -> {
            Hazard.Race.Side now = side(later, actor.lane());
            return new HazardFound(
                    new Hazard.Race(
                            side(earlier, earlierLane), now, range.get(), missing(actor, earlier, earlierLane, later)),
                    rule.acceptable() ? now.site() : null);
        });
        // The run goes on as if nothing had been missing, or what follows would be blamed for it.
        warp.grant(rule, actor.lane());
    }

    /** A relaxed load by an actor that has a sign of a relaxed write, and no order behind it. */
    static HazardFound message(Actor actor, Access write, int writeLane, Access load, String range) {
        String missing = actor.order().whyNot(write, writeLane, actor.lane());
        return new HazardFound(new Hazard.RelaxedMessage(
                side(write, writeLane),
                side(load, actor.lane()),
                range,
                missing == null ? "what its thread waited for gives no order" : missing));
    }

    /**
     * The race of what an actor does now with an earlier access to tensor memory.
     *
     * @param later what it issues; null if it gives the memory back
     * @param missing what would have made an order; null for what the earlier access itself needs
     */
    static HazardFound tensorRace(
            Actor actor,
            int lane,
            TensorAccess earlier,
            @Nullable TensorAccess later,
            String range,
            @Nullable String missing) {
        Access now = later == null ? actor.access() : later.access();
        Access before = earlier.access();
        return new HazardFound(
                new Hazard.Race(
                        side(before, 0),
                        side(now, lane),
                        range,
                        missing == null ? "no order says that " + before.agent.howToKnow(before.epoch) : missing),
                now.site(lane));
    }

    /**
     * The fence or order that is missing between a thread's read and a later asynchronous write that an actor issues.
     */
    static Unfenced unfencedRead(Access read, int lane) {
        return new Unfenced("read by " + read.site(lane), "fence.proxy.async", noFence("read"));
    }

    private static String noFence(String earlier) {
        return "no thread executed that fence between the " + earlier
                + " and the synchronisation that orders the access behind it, and the accessing thread executed none"
                + " after it";
    }

    /**
     * The missing step between an ordinary write and an asynchronous access that an actor issues: a fence, or an order
     * behind an existing fence.
     *
     * @param global whether the memory is global, not shared
     */
    static Unfenced unfenced(Actor actor, Access write, int lane, boolean global) {
        String writer = "written by " + write.site(lane);
        if (actor.order().sees(write, lane, actor.lane())) {
            return new Unfenced(writer, "fence.proxy.async", noFence("write"));
        }
        return WarpOrder.fenceBehind(write, lane, global)
                .map(fence -> new Unfenced(
                        writer,
                        "order behind fence.proxy.async",
                        "the fence of " + fence.site() + " comes behind the write, but no order leads from it to the"
                                + " access: a barrier behind it, or a release and an acquire, is missing"))
                .orElseGet(() -> new Unfenced(
                        writer,
                        "fence.proxy.async",
                        "nobody has fenced behind the write, and no order leads from it to the access"));
    }

    static Hazard.Race.Side side(Access access, int lane) {
        return new Hazard.Race.Side(access.manner.what(), access.site(lane));
    }

    private static String missing(Actor actor, Access earlier, int earlierLane, Access later) {
        WarpOrder warp = actor.order();
        Agent own = warp.threads();
        String weak = warp.whyNot(earlier, earlierLane, actor.lane());
        if (weak != null) {
            return weak;
        }
        if (!later.manner.coherent() && warp.sees(earlier, earlierLane, actor.lane())) {
            return "a non-coherent load may not see what the kernel itself wrote";
        }
        String how = earlier.agent.howToKnow(earlier.epoch);
        if (earlier.manner.strong() && later.manner.strong()) {
            return "both are strong, but their scopes " + earlier.manner.scope().ptx() + " and "
                    + later.manner.scope().ptx() + " do not include each other's thread";
        }
        if (warp.someLaneSees(earlier, earlierLane) && !(earlier.agent == own)) {
            return "another lane of the warp is ordered behind the earlier access, this one is not: a bar.warp.sync"
                    + " is missing, or a wait of its own";
        }
        if (!how.isEmpty()) {
            return "no order says that " + how;
        }
        if (earlier.agent.cluster() == own.cluster()
                && earlier.agent.cta() == own.cta()
                && earlierLane != actor.lane()
                && earlier.agent == own) {
            return "they are lanes of one warp, without a bar.warp.sync between them";
        }
        String scope = switch (Manner.needed(earlier.agent, own)) {
            case CTA, NONE -> "no barrier, and no release that an acquire saw, orders them";
            case CLUSTER ->
                "they are of two CTAs of a cluster, and no cluster barrier, and no release and acquire of scope"
                        + " .cluster or wider, orders them";
            case GPU, SYS -> "they are of two clusters, and no release and acquire of scope .gpu or wider orders them";
        };
        return scope;
    }
}
