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
 * The shared memory of one CTA, with what is known of each byte: whether anybody wrote it, whether a copy into it is
 * under way or was not yet waited for, whether an ordinary store wrote it and no fence is known, and which asynchronous
 * readers own it. Readers are kept for chunks of 16 bytes, copies for words of 4, of which they consist. A
 * {@link Shadow} keeps who accessed it.
 */
public final class SharedMemory {
    private static final byte WRITTEN = 1;
    private static final byte IN_FLIGHT = 2;
    private static final byte UNOBSERVED = 4;
    private static final byte GENERIC = 8;
    private static final byte BARRIER = 16;
    private static final long CLEAN = 0x0101010101010101L;
    private static final int CHUNK = 16;
    private static final int WORD = 4;

    private final int cta;
    private final FenceClock fences;
    private final IntFunction<String> names;
    private final byte[] data;
    private final byte[] state;
    private final Order order;
    private final Shadow shadow;
    private final Flags flags = new Flags();
    private final Visits visits;
    private final int cluster;
    private final int[] readers;
    private final @Nullable Object[] reader;
    private final @Nullable Landing[] landings;
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
        int size = Math.ceilDiv(bytes, CHUNK) * CHUNK;
        data = new byte[size];
        state = new byte[size];
        shadow = new Shadow(size, this::describe);
        readers = new int[size / CHUNK];
        reader = new @Nullable Object[size / CHUNK];
        landings = new @Nullable Landing[size / WORD];
        barriers = new @Nullable Mbarrier[size / 8];
        Arrays.fill(data, (byte) 0xFF);
    }

    /** The bytes themselves, for readers that have checked. */
    public byte[] data() {
        return data;
    }

    /** Who accessed it last. */
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
        for (int i = at; i < at + bytes; i++) {
            if ((state[i] & ~GENERIC) != WRITTEN) {
                requireRead(i, at, bytes, "an ordinary load");
            }
        }
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
        for (int i = at; i < at + bytes; i++) {
            if ((state[i] & ~(GENERIC | WRITTEN)) != 0 || readers[i / CHUNK] > 0) {
                requireWrite(i, at, bytes, "an ordinary store");
            }
            state[i] = WRITTEN | GENERIC;
        }
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
        for (int chunk = at / CHUNK; chunk < (at + bytes) / CHUNK; chunk++) {
            readers[chunk]++;
            reader[chunk] = by;
        }
    }

    /** Ends a claim. */
    public void release(int at, int bytes) {
        for (int chunk = at / CHUNK; chunk < (at + bytes) / CHUNK; chunk++) {
            if (--readers[chunk] == 0) {
                reader[chunk] = null;
            }
        }
    }

    private void requireAsynchronousRead(int at, int bytes, Object by) {
        for (int i = at; i < at + bytes; i += 8) {
            if (Bytes.getLong(state, i) == CLEAN) {
                continue;
            }
            for (int j = i; j < i + 8; j++) {
                if ((state[j] & ~GENERIC) != WRITTEN) {
                    requireRead(j, at, bytes, by);
                }
            }
            requireFenced(i, 8, by);
        }
    }

    /** Requires of bytes that ordinary stores wrote that a fence.proxy.async came between them and whoever acts. */
    private void requireFenced(int at, int bytes, Object access) {
        Actor actor = order.acting();
        if (actor == null) {
            return;
        }
        boolean ofCopies = !(access instanceof BulkRead work && work.readsThreadCopies());
        for (int i = at; i < at + bytes; i++) {
            if ((state[i] & GENERIC) != 0) {
                int word = i & ~3;
                shadow.unfencedWrite(actor, i, ofCopies).ifPresent(write -> {
                    throw new HazardFound(write.hazard(describe(word, WORD) + stage(word), access.toString()));
                });
                if (!ofCopies && shadow.isCopiedByThread(i)) {
                    // Another access may need the fence that this one does not.
                    continue;
                }
                // All bytes of the word have been looked at.
                for (int j = i & ~3; j < (i & ~3) + 4; j++) {
                    state[j] &= ~GENERIC;
                }
            }
        }
    }

    /** The barrier on which copies into a word counted before, for people; "" if there were none. */
    private String stage(int at) {
        Landing before = landings[at / WORD];
        return before == null
                ? ""
                : before.barrier().map(name -> ", a stage of " + name).orElse("");
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
            byte known = state[i];
            if (landing.reduces() && joins(i, landing)) {
                continue;
            }
            if (landing.reduces() && (known & ~GENERIC) != WRITTEN) {
                requireRead(i, at, bytes, "a bulk reduction");
                known = state[i];
            }
            if ((known & ~(GENERIC | WRITTEN)) != 0 || readers[i / CHUNK] > 0) {
                requireWrite(i, at, bytes, "an asynchronous copy");
            }
            if ((known & GENERIC) != 0 && !landing.generic()) {
                requireFenced(i, 1, "an asynchronous copy");
                known = state[i];
            }
            state[i] = (byte) ((known & WRITTEN) | IN_FLIGHT);
        }
        Arrays.fill(landings, at / WORD, (at + bytes) / WORD, landing);
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

    /** Whether a byte is under reduction already, which another reduction may join: both are atomic. */
    private boolean joins(int i, Landing landing) {
        Landing before = landings[i / WORD];
        if (before == null
                || !before.reduces()
                || (state[i] & (IN_FLIGHT | UNOBSERVED)) == 0
                || readers[i / CHUNK] > 0) {
            return false;
        }
        if (before != landing && !before.observed()) {
            landing.join(before);
        }
        return true;
    }

    /** The bytes of a copy are there; still nobody has waited for them. */
    public void land(int at, byte[] source, int from, int bytes, Landing landing) {
        System.arraycopy(source, from, data, at, bytes);
        landed(at, bytes, landing);
    }

    /** As {@link #land} with equal bytes. */
    public void landFill(int at, int bytes, byte value, Landing landing) {
        Arrays.fill(data, at, at + bytes, value);
        landed(at, bytes, landing);
    }

    private void landed(int at, int bytes, Landing landing) {
        Arrays.fill(state, at, at + bytes, (byte) (WRITTEN | UNOBSERVED | (landing.generic() ? GENERIC : 0)));
        landing.land();
    }

    /**
     * The thread of a landed cp.async has waited for it: from now on its bytes are as if that thread had stored them.
     */
    public void await(int at, int bytes, Landing landing) {
        landing.await();
        for (int word = at / WORD; word < (at + bytes) / WORD; word++) {
            if (landings[word] == landing) {
                observe(word);
            }
        }
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
        for (int i = at; i < at + 8; i++) {
            if ((state[i] & ~(GENERIC | WRITTEN)) != 0 || readers[i / CHUNK] > 0) {
                requireWrite(i, at, 8, "mbarrier.init");
            }
            state[i] = BARRIER;
        }
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
        Arrays.fill(state, at, at + 8, (byte) 0);
    }

    /** All barriers that were ever made here and are live. */
    public Iterable<Mbarrier> liveBarriers() {
        return () -> made().filter(Mbarrier::live).iterator();
    }

    /** The last barrier that was made at each place, live or not. */
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

    // ---- what goes wrong ----------------------------------------------------------------------------------------

    /** Throws unless the byte may be read after all: its copy was waited for. */
    private void requireRead(int i, int at, int bytes, Object by) {
        byte known = state[i];
        Landing landing = landings[i / WORD];
        if ((known & BARRIER) != 0) {
            throw new HazardFound(new Hazard.BarrierMisuse(describe(i, 1), by + " reads the bytes of a barrier"));
        }
        if ((known & IN_FLIGHT) != 0) {
            throw new HazardFound(
                    new Hazard.ReadBeforeCopy(describe(at, bytes), by.toString(), String.valueOf(landing)));
        }
        if ((known & WRITTEN) == 0 && !takesUnwritten(i, by)) {
            throw new HazardFound(new Hazard.UninitialisedRead(by + " of " + describe(i, 1)));
        }
        if ((known & UNOBSERVED) != 0) {
            if (landing == null || !landing.observed()) {
                throw new HazardFound(
                        new Hazard.ReadBeforeCopy(describe(at, bytes), by.toString(), String.valueOf(landing)));
            }
            observe(i / WORD);
        }
    }

    private boolean takesUnwritten(int i, Object by) {
        if (by instanceof BulkRead work) {
            return work.takesUnwritten(i, () -> describe(i, 1));
        }
        Actor actor = order.acting();
        return actor != null && actor.takesUnwritten(() -> describe(i, 1));
    }

    /** Marks the copied bytes of a word as waited for. */
    private void observe(int word) {
        for (int i = word * WORD; i < word * WORD + WORD; i++) {
            if ((state[i] & UNOBSERVED) != 0) {
                state[i] &= ~UNOBSERVED;
            }
        }
    }

    /** Throws unless the byte may be written after all: its copy was waited for. */
    private void requireWrite(int i, int at, int bytes, String by) {
        byte known = state[i];
        int chunk = i / CHUNK;
        Landing landing = landings[i / WORD];
        if (readers[chunk] > 0) {
            throw new HazardFound(
                    new Hazard.OverwrittenWhileRead(describe(at, bytes), by, String.valueOf(reader[chunk])));
        }
        if ((known & BARRIER) != 0) {
            throw new HazardFound(new Hazard.BarrierMisuse(describe(i, 1), by + " writes the bytes of a barrier"));
        }
        boolean unread = (known & UNOBSERVED) != 0 && (landing == null || !landing.observed());
        if ((known & IN_FLIGHT) != 0 || unread) {
            throw new HazardFound(new Hazard.OverwrittenUnread(describe(at, bytes), by, String.valueOf(landing)));
        }
    }

    /**
     * The first copy that landed here and that nobody waited for, or that is still under way. What a cp.async brings
     * may go unused: the hardware drains it when the CTA ends.
     */
    public @Nullable String unobservedCopy() {
        for (int i = 0; i < state.length; i += WORD) {
            Landing landing = landings[i / WORD];
            if ((state[i] & (UNOBSERVED | IN_FLIGHT)) != 0
                    && landing != null
                    && !landing.generic()
                    && !landing.observed()) {
                return describe(i, CHUNK) + ", " + landing;
            }
        }
        return null;
    }
}
