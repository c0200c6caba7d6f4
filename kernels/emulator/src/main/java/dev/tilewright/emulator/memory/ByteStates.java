package dev.tilewright.emulator.memory;

import dev.tilewright.emulator.hazard.Hazard;
import dev.tilewright.emulator.hazard.HazardFound;
import dev.tilewright.emulator.number.Bytes;
import dev.tilewright.emulator.order.Shadow;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The state of each byte of a CTA's shared memory: written or not, a copy into it under way or landed and not yet
 * waited for, written by an ordinary store that no known fence follows, part of a barrier. Asynchronous readers are
 * counted for chunks of 16 bytes, copies are kept for words of 4. The states decide alone what may be read and written;
 * they know no order of threads.
 */
final class ByteStates {
    static final int WORD = 4;

    private static final byte WRITTEN = 1;
    private static final byte IN_FLIGHT = 2;
    private static final byte UNOBSERVED = 4;
    private static final byte GENERIC = 8;
    private static final byte BARRIER = 16;
    private static final long CLEAN = 0x0101010101010101L;
    private static final int CHUNK = 16;

    /** Decides whether a reader takes a byte that was never written, and follows it if so. */
    @FunctionalInterface
    interface Unwritten {
        boolean isTaken(int at, Object by);
    }

    private final Shadow.Names names;
    private final Unwritten unwritten;
    private final byte[] state;
    private final int[] readers;
    private final @Nullable Object[] reader;
    private final @Nullable Landing[] landings;

    /** Bytes that were never written; {@code bytes} is a multiple of 16. */
    ByteStates(int bytes, Shadow.Names names, Unwritten unwritten) {
        this.names = names;
        this.unwritten = unwritten;
        state = new byte[bytes];
        readers = new int[bytes / CHUNK];
        reader = new @Nullable Object[bytes / CHUNK];
        landings = new @Nullable Landing[bytes / WORD];
    }

    /** Whether 8 bytes are written, landed, waited for and fenced, so that an asynchronous reader may have them. */
    boolean isClean(int at) {
        return Bytes.getLong(state, at) == CLEAN;
    }

    /** Whether an ordinary store wrote the byte last, and no fence behind it is known. */
    boolean isGeneric(int at) {
        return (state[at] & GENERIC) != 0;
    }

    /** The ordinary stores of a word are fenced. */
    void fence(int word) {
        for (int i = word; i < word + WORD; i++) {
            state[i] &= ~GENERIC;
        }
    }

    /** The last copy into the word at an address. */
    Optional<Landing> landing(int at) {
        return Optional.ofNullable(landings[at / WORD]);
    }

    /** Requires that a range of bytes may be read. */
    void requireReadable(int at, int bytes, Object by) {
        requireReadable(at, bytes, at, bytes, by);
    }

    /** Requires that {@code count} bytes of an access may be read, which the message names as a whole. */
    void requireReadable(int from, int count, int at, int bytes, Object by) {
        for (int i = from; i < from + count; i++) {
            if ((state[i] & ~GENERIC) != WRITTEN) {
                requireRead(i, at, bytes, by);
            }
        }
    }

    /** Requires that one byte of an access may be written, which the message names as a whole. */
    void requireWritable(int i, int at, int bytes, String by) {
        if ((state[i] & ~(GENERIC | WRITTEN)) != 0 || readers[i / CHUNK] > 0) {
            requireWrite(i, at, bytes, by);
        }
    }

    /** An ordinary store. */
    void store(int at, int bytes) {
        for (int i = at; i < at + bytes; i++) {
            requireWritable(i, at, bytes, "an ordinary store");
            state[i] = WRITTEN | GENERIC;
        }
    }

    /** Makes 8 bytes a barrier. */
    void makeBarrier(int at) {
        for (int i = at; i < at + 8; i++) {
            requireWritable(i, at, 8, "mbarrier.init");
            state[i] = BARRIER;
        }
    }

    /** The 8 bytes of a barrier are memory again that was never written. */
    void endBarrier(int at) {
        Arrays.fill(state, at, at + 8, (byte) 0);
    }

    /** An asynchronous reader begins to read whole chunks. */
    void claim(int at, int bytes, Object by) {
        for (int chunk = at / CHUNK; chunk < (at + bytes) / CHUNK; chunk++) {
            readers[chunk]++;
            reader[chunk] = by;
        }
    }

    /** An asynchronous reader has read whole chunks. */
    void release(int at, int bytes) {
        for (int chunk = at / CHUNK; chunk < (at + bytes) / CHUNK; chunk++) {
            if (--readers[chunk] == 0) {
                reader[chunk] = null;
            }
        }
    }

    /** Whether the byte is under reduction already, and this reduction joins that one: both are atomic. */
    boolean joins(int i, Landing landing) {
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

    /** A copy into the byte is under way. */
    void issue(int i) {
        state[i] = (byte) ((state[i] & WRITTEN) | IN_FLIGHT);
    }

    /** A copy is the last one into whole words. */
    void track(int at, int bytes, Landing landing) {
        Arrays.fill(landings, at / WORD, (at + bytes) / WORD, landing);
    }

    /** The bytes of a copy are there; still nobody has waited for them. */
    void land(int at, int bytes, Landing landing) {
        Arrays.fill(state, at, at + bytes, (byte) (WRITTEN | UNOBSERVED | (landing.generic() ? GENERIC : 0)));
        landing.land();
    }

    /** The thread of a landed cp.async has waited for it. */
    void await(int at, int bytes, Landing landing) {
        landing.await();
        for (int word = at / WORD; word < (at + bytes) / WORD; word++) {
            if (landings[word] == landing) {
                observe(word);
            }
        }
    }

    /** Throws unless the byte may be read after all: its copy was waited for. */
    private void requireRead(int i, int at, int bytes, Object by) {
        byte known = state[i];
        Landing landing = landings[i / WORD];
        if ((known & BARRIER) != 0) {
            throw new HazardFound(new Hazard.BarrierMisuse(names.range(i, 1), by + " reads the bytes of a barrier"));
        }
        if ((known & IN_FLIGHT) != 0) {
            throw new HazardFound(
                    new Hazard.ReadBeforeCopy(names.range(at, bytes), by.toString(), String.valueOf(landing)));
        }
        if ((known & WRITTEN) == 0 && !unwritten.isTaken(i, by)) {
            throw new HazardFound(new Hazard.UninitialisedRead(by + " of " + names.range(i, 1)));
        }
        if ((known & UNOBSERVED) != 0) {
            if (landing == null || !landing.observed()) {
                throw new HazardFound(
                        new Hazard.ReadBeforeCopy(names.range(at, bytes), by.toString(), String.valueOf(landing)));
            }
            observe(i / WORD);
        }
    }

    /** Throws unless the byte may be written after all: its copy was waited for. */
    private void requireWrite(int i, int at, int bytes, String by) {
        byte known = state[i];
        int chunk = i / CHUNK;
        Landing landing = landings[i / WORD];
        if (readers[chunk] > 0) {
            throw new HazardFound(
                    new Hazard.OverwrittenWhileRead(names.range(at, bytes), by, String.valueOf(reader[chunk])));
        }
        if ((known & BARRIER) != 0) {
            throw new HazardFound(new Hazard.BarrierMisuse(names.range(i, 1), by + " writes the bytes of a barrier"));
        }
        boolean unread = (known & UNOBSERVED) != 0 && (landing == null || !landing.observed());
        if ((known & IN_FLIGHT) != 0 || unread) {
            throw new HazardFound(new Hazard.OverwrittenUnread(names.range(at, bytes), by, String.valueOf(landing)));
        }
    }

    /** Marks the copied bytes of a word as waited for. */
    private void observe(int word) {
        for (int i = word * WORD; i < word * WORD + WORD; i++) {
            if ((state[i] & UNOBSERVED) != 0) {
                state[i] &= ~UNOBSERVED;
            }
        }
    }

    /**
     * The first copy that landed here and that nobody waited for, or that is still under way. The bytes of a cp.async
     * may go unused: the hardware drains it when the CTA ends.
     */
    @Nullable
    String unobservedCopy() {
        for (int i = 0; i < state.length; i += WORD) {
            Landing landing = landings[i / WORD];
            if ((state[i] & (UNOBSERVED | IN_FLIGHT)) != 0
                    && landing != null
                    && !landing.generic()
                    && !landing.observed()) {
                return names.range(i, CHUNK) + ", " + landing;
            }
        }
        return null;
    }
}
