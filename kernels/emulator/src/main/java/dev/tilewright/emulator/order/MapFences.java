package dev.tilewright.emulator.order;

import dev.tilewright.emulator.hazard.Site;
import dev.tilewright.ptx.type.Scope;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The fences between the generic proxy, through which a kernel writes tensor maps, and the proxy through which copies
 * read them. A copy sees a write behind which there is a release and, behind that, an acquire of the map, both on the
 * path by which the copy comes behind the write; it does not matter whose they are. PTX 8.9.5, 9.7.13.4, 9.7.13.16.
 */
public final class MapFences {
    /** Releases of all that a thread wrote have no address. */
    private static final long EVERYWHERE = -1;

    private record Kind(boolean acquires, long address, Scope scope) {}

    private final Map<Kind, Map<WarpOrder, ProxyFences>> fences = new HashMap<>();

    /** Lanes release what they wrote. */
    public void releaseAll(Actor actor, int lanes, Scope scope) {
        add(new Kind(false, EVERYWHERE, scope), actor, lanes);
    }

    /** The acting thread has written a map and releases it. */
    public void release(Actor actor, Scope scope, long address) {
        add(new Kind(false, address, scope), actor, 1 << actor.lane());
    }

    /** Lanes acquire a map. */
    public void acquire(Actor actor, int lanes, Scope scope, long address) {
        add(new Kind(true, address, scope), actor, lanes);
    }

    private void add(Kind kind, Actor actor, int lanes) {
        WarpOrder warp = actor.order();
        fences.computeIfAbsent(kind, _ -> new LinkedHashMap<>())
                .computeIfAbsent(warp, ProxyFences::new)
                .add(lanes, false, true, actor.access().evidence);
        warp.nextEpoch();
    }

    /** The first writer of a map that whoever acts comes behind with no release between; none if there is no such. */
    public Optional<Site> unreleased(Actor actor, GlobalShadow shadow, int at, int bytes, long address) {
        return without(actor, shadow, at, bytes, List.of(EVERYWHERE, address), false);
    }

    /** The same with no acquire between. */
    public Optional<Site> unacquired(Actor actor, GlobalShadow shadow, int at, int bytes, long address) {
        return without(actor, shadow, at, bytes, List.of(address), true);
    }

    private Optional<Site> without(
            Actor actor, GlobalShadow shadow, int at, int bytes, List<Long> addresses, boolean acquires) {
        List<Site> found = new ArrayList<>(0);
        WarpOrder reader = actor.order();
        shadow.eachWrite(at, bytes, (write, lane) -> {
            if (reader.sees(write, lane, actor.lane())
                    && addresses.stream().noneMatch(address -> isBetween(write, lane, actor, address, acquires))) {
                found.add(write.site(lane));
            }
        });
        return found.stream().findFirst();
    }

    private boolean isBetween(Access write, int writeLane, Actor actor, long address, boolean acquires) {
        for (Scope scope : Scope.values()) {
            Map<WarpOrder, ProxyFences> some = fences.get(new Kind(acquires, address, scope));
            if (some != null
                    && some.entrySet().stream()
                            .anyMatch(entry -> Manner.reaches(
                                            scope,
                                            entry.getKey().threads(),
                                            acquires
                                                    ? write.agent
                                                    : actor.order().threads())
                                    && entry.getValue()
                                            .isBetween(write, writeLane, actor.order(), actor.lane(), true))) {
                return true;
            }
        }
        return false;
    }
}
