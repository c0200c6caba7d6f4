package dev.tilewright.emulator.memory;

import dev.tilewright.emulator.barrier.Mbarrier;
import dev.tilewright.emulator.hazard.Hazard;
import dev.tilewright.emulator.hazard.HazardFound;
import dev.tilewright.emulator.hazard.Rule;
import dev.tilewright.emulator.number.Bytes;
import dev.tilewright.emulator.order.Actor;
import dev.tilewright.emulator.order.BulkRead;
import dev.tilewright.emulator.order.Departure;
import dev.tilewright.emulator.order.FenceClock;
import dev.tilewright.emulator.order.Flags;
import dev.tilewright.emulator.order.Order;
import dev.tilewright.emulator.order.PhaseOrder;
import dev.tilewright.emulator.order.Shadow;
import dev.tilewright.emulator.order.Visits;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The shared memory of one CTA. Each access passes two checks: {@link ByteStates} decides by the state of the bytes, a
 * {@link Shadow} by the order of all accesses to them.
 */
public final class SharedMemory {
    private static final int ROUND = 16;

    private final int cta;
    private final FenceClock fences;
    private final IntFunction<String> names;
    private final byte[] data;
    private final ByteStates states;
    private final Order order;
    private final Shadow shadow;
    private final Flags flags = new Flags();
    private final Visits visits;
    private final int cluster;
    private final @Nullable Mbarrier[] barriers;
    private boolean ended;

    /**
     * Fresh memory, no byte of it written.
     *
     * @param cta linear id in the grid
     * @param cluster linear id of its cluster
     * @param bytes up to the end of the last variable, counted from address 0
     * @param names of the byte at an address, for people
     */
    public SharedMemory(int cta, int cluster, int bytes, FenceClock fences, Order order, IntFunction<String> names) {
        this.cta = cta;
        visits = new Visits(cta);
        this.cluster = cluster;
        this.fences = fences;
        this.order = order;
        this.names = names;
        int size = Math.ceilDiv(bytes, ROUND) * ROUND;
        data = new byte[size];
        states = new ByteStates(size, this::describe, this::takesUnwritten);
        shadow = new Shadow(size, this::describe);
        barriers = new @Nullable Mbarrier[size / 8];
        Arrays.fill(data, (byte) 0xFF);
    }

    /** The bytes themselves, for readers that have checked. */
    public byte[] data() {
        return data;
    }

    /** The last accesses to this memory. */
    public Shadow shadow() {
        return shadow;
    }

    /** A range for people. */
    public String describe(int at, int bytes) {
        return names.apply(at) + " (" + bytes + " bytes at shared 0x" + Integer.toHexString(at) + " of CTA " + cta
                + ")";
    }

    public void requireInside(int at, int bytes, Object access) {
        if (at < AddressSpace.SHARED_START || at + bytes > data.length || at + bytes < at) {
            throw new HazardFound(new Hazard.OutOfBounds(access + " of " + bytes + " bytes at shared 0x"
                    + Integer.toHexString(at) + " of CTA " + cta + ", which has 0x"
                    + Integer.toHexString(AddressSpace.SHARED_START) + "..0x" + Integer.toHexString(data.length)));
        }
    }

    // ---- ordinary loads and stores ------------------------------------------------------------------------------

    /** An ordinary load of 1, 2, 4 or 8 bytes. */
    public long read(int at, int bytes) {
        requireInside(at, bytes, "read");
        states.requireReadable(at, bytes, "an ordinary load");
        Actor actor = order.acting();
        if (actor != null) {
            visits.note(actor);
            flags.read(actor, at);
            if (!actor.access().updates()) {
                shadow.read(actor, at, bytes);
            }
        }
        return Bytes.get(data, at, bytes);
    }

    /** An ordinary store of 1, 2, 4 or 8 bytes. */
    public void write(int at, int bytes, long value) {
        requireInside(at, bytes, "write");
        states.store(at, bytes);
        Actor actor = order.acting();
        if (actor != null) {
            visits.note(actor);
            shadow.write(actor, at, bytes, Bytes.isSame(data, at, bytes, value));
            flags.write(actor, at);
        }
        Bytes.put(data, at, bytes, value);
    }

    // ---- asynchronous readers -----------------------------------------------------------------------------------

    /** The order of the run. */
    public Order order() {
        return order;
    }

    /** Claims whole chunks for an asynchronous reader, which must find them written, landed and fenced. */
    public void claim(int at, int bytes, Object by) {
        requireInside(at, bytes, by);
        requireAsynchronousRead(at, bytes, by);
        Actor actor = order.acting();
        if (actor != null && by instanceof BulkRead work) {
            shadow.bulkRead(actor, work.reading(), at, bytes, work.needs());
        }
        states.claim(at, bytes, by);
    }

    /** Ends a claim. */
    public void release(int at, int bytes) {
        states.release(at, bytes);
    }

    private void requireAsynchronousRead(int at, int bytes, Object by) {
        for (int i = at; i < at + bytes; i += 8) {
            if (!states.isClean(i)) {
                states.requireReadable(i, 8, at, bytes, by);
                requireFenced(i, 8, by);
            }
        }
    }

    private boolean takesUnwritten(int i, Object by) {
        if (by instanceof BulkRead work) {
            return work.takesUnwritten(i, () -> describe(i, 1));
        }
        Actor actor = order.acting();
        return actor != null && actor.takesUnwritten(() -> describe(i, 1));
    }

    /** Requires of bytes that ordinary stores wrote that a fence.proxy.async came between them and whoever acts. */
    private void requireFenced(int at, int bytes, Object access) {
        Actor actor = order.acting();
        if (actor == null) {
            return;
        }
        boolean ofCopies = !(access instanceof BulkRead work && work.readsThreadCopies());
        for (int i = at; i < at + bytes; i++) {
            if (states.isGeneric(i)) {
                int word = i & ~3;
                shadow.unfencedWrite(actor, i, ofCopies).ifPresent(write -> {
                    throw new HazardFound(
                            write.hazard(describe(word, ByteStates.WORD) + stage(word), access.toString()));
                });
                if (!ofCopies && shadow.isCopiedByThread(i)) {
                    // Another access may need the fence that this one does not.
                    continue;
                }
                states.fence(word);
            }
        }
    }

    /** The barrier on which copies into a word counted before, for people; "" if there were none. */
    private String stage(int at) {
        return states.landing(at)
                .flatMap(Landing::barrier)
                .map(name -> ", a stage of " + name)
                .orElse("");
    }

    /**
     * Requires of readers of the last answer of try_cancel here that fences between the proxies stand between them and
     * whoever asks again.
     *
     * @param barrier on which the new answer counts, as evidence
     */
    public void requireAnswerFenced(int at, int bytes, Mbarrier barrier) {
        requireInside(at, bytes, "the answer of try_cancel");
        Actor actor = order.acting();
        if (actor == null) {
            return;
        }
        shadow.unfencedReader(actor, at, bytes).ifPresent(reader -> {
            throw new HazardFound(new Hazard.LaunchControlMisuse(
                    "the answer of try_cancel overwrites " + describe(at, bytes) + ", which " + reader
                            + " read, without fence.proxy.async::generic.release.sync_restrict by the reader and"
                            + " .acquire.sync_restrict by who asks (or a fence.proxy.async) between them",
                    List.of(barrier.state())));
        });
    }

    // ---- copies that arrive -------------------------------------------------------------------------------------

    /** A copy into whole words has been issued. */
    public void beginCopy(int at, int bytes, Landing landing) {
        requireInside(at, bytes, "copy");
        for (int i = at; i < at + bytes; i++) {
            if (landing.reduces()) {
                if (states.joins(i, landing)) {
                    continue;
                }
                states.requireReadable(i, 1, at, bytes, "a bulk reduction");
            }
            states.requireWritable(i, at, bytes, "an asynchronous copy");
            if (states.isGeneric(i) && !landing.generic()) {
                requireFenced(i, 1, "an asynchronous copy");
            }
            states.issue(i);
        }
        states.track(at, bytes, landing);
        Actor actor = order.acting();
        if (actor == null) {
            return;
        }
        if (landing.generic()) {
            shadow.write(actor, landing.access(), at, bytes);
        } else {
            if (landing.goesOver()) {
                requireReadersFenced(actor, at, bytes, landing);
            }
            shadow.bulkWrite(actor, landing.access(), at, bytes);
        }
    }

    /** Requires of threads that read what a copy goes over that a fence.proxy.async came between them and the copy. */
    private void requireReadersFenced(Actor actor, int at, int bytes, Landing landing) {
        int statement = landing.origin().statement();
        if (!order.findings().has(Rule.REUSE_UNFENCED, statement)) {
            shadow.unfencedRead(actor, at, bytes, false)
                    .ifPresent(read -> order.findings()
                            .report(
                                    Rule.REUSE_UNFENCED,
                                    statement,
                                    () -> new HazardFound(
                                            read.hazard(
                                                    describe(at, bytes) + stage(at),
                                                    "the copy of "
                                                            + landing.origin().site(actor.lane())),
                                            landing.origin().site(actor.lane()))));
        }
    }

    /** The bytes of a copy are there; still nobody has waited for them. */
    public void land(int at, byte[] source, int from, int bytes, Landing landing) {
        System.arraycopy(source, from, data, at, bytes);
        states.land(at, bytes, landing);
    }

    /** As {@link #land} with equal bytes. */
    public void landFill(int at, int bytes, byte value, Landing landing) {
        Arrays.fill(data, at, at + bytes, value);
        states.land(at, bytes, landing);
    }

    /**
     * The thread of a landed cp.async has waited for it: from now on its bytes are as if that thread had stored them.
     */
    public void await(int at, int bytes, Landing landing) {
        states.await(at, bytes, landing);
    }

    // ---- barriers -----------------------------------------------------------------------------------------------

    /** The live barrier at an address. */
    public Mbarrier barrier(int at, String use) {
        if (at % 8 != 0) {
            throw new HazardFound(new Hazard.Misaligned(use, describe(at, 8), 8));
        }
        requireInside(at, 8, use);
        Mbarrier barrier = barriers[at / 8];
        if (barrier == null || !barrier.live()) {
            throw new HazardFound(new Hazard.NoBarrier(describe(at, 8), use));
        }
        barrier.order().requireInit();
        return barrier;
    }

    /** Makes 8 bytes a barrier. */
    public void initialise(int at, int count, int thread) {
        if (at % 8 != 0) {
            throw new HazardFound(new Hazard.Misaligned("mbarrier.init", describe(at, 8), 8));
        }
        requireInside(at, 8, "mbarrier.init");
        Mbarrier old = barriers[at / 8];
        if (old != null && old.live()) {
            throw new HazardFound(new Hazard.BarrierMisuse(old.state().toString(), "init of a live barrier"));
        }
        states.makeBarrier(at);
        Actor actor = order.acting();
        if (actor != null) {
            shadow.write(actor, at, 8, false);
        }
        barriers[at / 8] = new Mbarrier(
                names.apply(at), cta, count, thread, fences, new PhaseOrder(order, cluster, cta, names.apply(at)));
    }

    /** Ends a barrier. */
    public void invalidate(int at) {
        barrier(at, "mbarrier.inval").invalidate();
        states.endBarrier(at);
    }

    /** All barriers that were ever made here and are live. */
    public Iterable<Mbarrier> liveBarriers() {
        return () -> made().filter(Mbarrier::live).iterator();
    }

    /** The last barrier that was initialised at each address, live or not. */
    public Iterable<Mbarrier> barriers() {
        return () -> made().iterator();
    }

    private Stream<Mbarrier> made() {
        return Arrays.stream(barriers).filter(barrier -> barrier != null);
    }

    /** Linear id of its CTA in the grid. */
    public int cta() {
        return cta;
    }

    /** Whether its CTA has ended. */
    public boolean ended() {
        return ended;
    }

    /** The CTA ends: what others did here must have come before. */
    public void end(Departure departure) {
        ended = true;
        visits.requireBefore(departure, "the shared memory of CTA " + cta, order);
        made().forEach(barrier -> barrier.order().end(departure));
    }

    /**
     * The first copy that landed here and that nobody waited for, or that is still under way. The bytes of a cp.async
     * may go unused: the hardware drains it when the CTA ends.
     */
    public @Nullable String unobservedCopy() {
        return states.unobservedCopy();
    }
}
