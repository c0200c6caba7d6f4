package dev.tilewright.emulator.order;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A vector clock: an epoch for each agent, where needed for each of its lanes. Immutable, so that all threads that met
 * at a barrier share one. Clocks of one cluster are dense; the epochs of other clusters are kept beside them.
 */
final class Clock {
    private static final int LANES = 32;

    /** The clock at the launch: it covers only earlier events. */
    static final Clock START = new Clock(-1, new int[0], new int[0][], Map.of());

    private final int cluster;
    /** By agent: the epoch known of all its lanes. */
    private final int[] whole;
    /** By agent: the epochs known of single lanes, null where no lane is known further than all. */
    private final int[] @Nullable [] lanes;

    private final Map<Integer, Clock> others;

    private Clock(int cluster, int[] whole, int[] @Nullable [] lanes, Map<Integer, Clock> others) {
        this.cluster = cluster;
        this.whole = whole;
        this.lanes = lanes;
        this.others = others;
    }

    /** The clock that knows one epoch of an agent without lanes, or of all lanes. */
    static Clock of(Agent agent, int epoch) {
        return START.with(agent, agent.lanes(), epoch);
    }

    boolean covers(Agent agent, int lane, int epoch) {
        if (agent.cluster() != cluster) {
            Clock other = others.get(agent.cluster());
            return other != null && other.covers(agent, lane, epoch);
        }
        int index = agent.index();
        if (index < whole.length && whole[index] >= epoch) {
            return true;
        }
        if (index >= lanes.length) {
            return false;
        }
        int[] single = lanes[index];
        return single != null && single[lane] >= epoch;
    }

    /** This clock, and some lanes of an agent up to an epoch. */
    Clock with(Agent agent, int some, int epoch) {
        if (cluster >= 0 && agent.cluster() != cluster) {
            return join(START.with(agent, some, epoch));
        }
        int index = agent.index();
        int[] all = Arrays.copyOf(whole, Math.max(whole.length, index + 1));
        int[] @Nullable [] each = lanes;
        if ((some & agent.lanes()) == agent.lanes()) {
            all[index] = Math.max(all[index], epoch);
        } else {
            each = Arrays.copyOf(lanes, Math.max(lanes.length, index + 1));
            int[] before = each[index];
            int[] single = before == null ? new int[LANES] : before.clone();
            for (int rest = some; rest != 0; rest &= rest - 1) {
                int lane = Integer.numberOfTrailingZeros(rest);
                single[lane] = Math.max(single[lane], epoch);
            }
            each[index] = single;
        }
        return new Clock(agent.cluster(), all, each, others);
    }

    /** The union of two clocks. The result is one of the two if it covers the other. */
    Clock join(Clock other) {
        if (this == other || other == START) {
            return this;
        }
        if (this == START) {
            return other;
        }
        if (knowsAllOf(other)) {
            return this;
        }
        if (other.knowsAllOf(this)) {
            return other;
        }
        Map<Integer, Clock> foreign = new HashMap<>(others);
        other.others.forEach((id, clock) -> foreign.merge(id, clock, Clock::join));
        if (other.cluster == cluster) {
            return merged(other, foreign);
        }
        foreign.merge(other.cluster, other.alone(), Clock::join);
        Clock own = foreign.remove(cluster);
        Clock both = own == null ? this : merged(own, foreign);
        return new Clock(cluster, both.whole, both.lanes, Map.copyOf(foreign));
    }

    private Clock alone() {
        return others.isEmpty() ? this : new Clock(cluster, whole, lanes, Map.of());
    }

    private @Nullable Clock part(int id) {
        return id == cluster ? this : others.get(id);
    }

    private boolean knowsAllOf(Clock other) {
        Clock same = part(other.cluster);
        if (same == null || !same.knowsOwnOf(other)) {
            return false;
        }
        for (Clock foreign : other.others.values()) {
            Clock mine = part(foreign.cluster);
            if (mine == null || !mine.knowsOwnOf(foreign)) {
                return false;
            }
        }
        return true;
    }

    /** Whether this knows what the other knows of the cluster that both are of. */
    private boolean knowsOwnOf(Clock other) {
        for (int i = 0; i < other.whole.length; i++) {
            if (other.whole[i] > (i < whole.length ? whole[i] : 0)) {
                return false;
            }
        }
        for (int i = 0; i < other.lanes.length; i++) {
            int[] theirs = other.lanes[i];
            if (theirs == null) {
                continue;
            }
            int all = i < whole.length ? whole[i] : 0;
            int[] mine = i < lanes.length ? lanes[i] : null;
            for (int lane = 0; lane < LANES; lane++) {
                if (theirs[lane] > all && (mine == null || theirs[lane] > mine[lane])) {
                    return false;
                }
            }
        }
        return true;
    }

    private Clock merged(Clock other, Map<Integer, Clock> foreign) {
        boolean longer = whole.length >= other.whole.length;
        int[] all = (longer ? whole : other.whole).clone();
        int[] shorter = longer ? other.whole : whole;
        for (int i = 0; i < shorter.length; i++) {
            all[i] = Math.max(all[i], shorter[i]);
        }
        int[] @Nullable [] each = new int[Math.max(lanes.length, other.lanes.length)][];
        for (int i = 0; i < each.length; i++) {
            int known = i < all.length ? all[i] : 0;
            each[i] = merged(i < lanes.length ? lanes[i] : null, i < other.lanes.length ? other.lanes[i] : null, known);
        }
        return new Clock(cluster, all, each, Map.copyOf(foreign));
    }

    /** The epochs of single lanes that one of the two knows, null if no lane is known further than all. */
    private static int @Nullable [] merged(int @Nullable [] a, int @Nullable [] b, int all) {
        int[] result = a == null ? b : a;
        if (a != null && b != null && a != b) {
            result = a.clone();
            for (int lane = 0; lane < LANES; lane++) {
                result[lane] = Math.max(a[lane], b[lane]);
            }
        }
        if (result != null) {
            for (int epoch : result) {
                if (epoch > all) {
                    return result;
                }
            }
        }
        return null;
    }
}
