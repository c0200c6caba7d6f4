package dev.tilewright.api.platform.http.connection;

import java.net.InetAddress;
import java.nio.channels.Channel;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Counts the open connections of each address. Nobody says when one ends: closed ones are dropped when their room is
 * needed. Used by the one thread that accepts.
 */
final class AddressLimit {

    /** After so many connections all addresses are looked at, so that those that left are forgotten. */
    private static final int SWEEP = 1024;

    private final int limit;
    private final Map<Network, List<Channel>> open = new HashMap<>();
    private int taken;

    AddressLimit(int limit) {
        this.limit = limit;
    }

    /** Counts a connection; false if its address holds as many as it may. */
    boolean take(InetAddress from, Channel connection) {
        if (++taken % SWEEP == 0) {
            open.values().removeIf(held -> held.removeIf(each -> !each.isOpen()) && held.isEmpty());
        }
        List<Channel> held = open.computeIfAbsent(Network.of(from), network -> new ArrayList<>());
        if (held.size() >= limit) {
            held.removeIf(each -> !each.isOpen());
        }
        return held.size() < limit && held.add(connection);
    }

    /** How many addresses are remembered. */
    int addresses() {
        return open.size();
    }
}
