package dev.tilewright.emulator.order;

import dev.tilewright.emulator.hazard.Site;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The last accesses to a region of memory. Accesses of single threads are kept by word, those of copies and matrix
 * products by chunks of 16 bytes; a region that sees only one kind pays only for that.
 */
public final class Shadow {
    private static final int CHUNK = 16;
    private static final int WORDS = 4;

    /** Names a range for people. */
    @FunctionalInterface
    public interface Names {
        String range(int at, int bytes);
    }

    private final int bytes;
    private final Names names;
    private @Nullable Cells writes;
    private @Nullable Cells reads;
    /** Whether a chunk may have accesses by word. */
    private boolean[] byWord = new boolean[0];

    private @Nullable Object[] bulkWrites = new @Nullable Object[0];
    private @Nullable Object[] bulkReads = new @Nullable Object[0];

    /** A region that nobody accessed; {@code bytes} is a multiple of 16. */
    public Shadow(int bytes, Names names) {
        this.bytes = bytes;
        this.names = names;
    }

    private Cells writes() {
        Cells known = writes;
        if (known == null) {
            known = new Cells(bytes / 4);
            writes = known;
            byWord = new boolean[bytes / CHUNK];
        }
        return known;
    }

    private Cells reads() {
        Cells known = reads;
        if (known == null) {
            writes();
            known = new Cells(bytes / 4);
            reads = known;
        }
        return known;
    }

    /** Bytes of a word that a range touches. */
    private static int mask(int word, int at, int end) {
        int from = Math.max(at - 4 * word, 0);
        int to = Math.min(end - 4 * word, 4);
        return (1 << to) - (1 << from);
    }

    // ---- single threads -----------------------------------------------------------------------------------------

    /** A thread reads some bytes. */
    public void read(Actor actor, int at, int count) {
        read(actor, actor.access(), at, count);
    }

    /** A thread begins to read some bytes, by an access of its own or one that goes on while it does other things. */
    void read(Actor actor, Access access, int at, int count) {
        for (int word = at / 4; word <= (at + count - 1) / 4; word++) {
            read(actor, access, actor.lane(), word, mask(word, at, at + count));
        }
    }

    private void read(Actor actor, Access access, int lane, int word, int mask) {
        Cells read = reads();
        if (read.isOnly(word, access, lane, mask)) {
            return;
        }
        Cells written = writes();
        if (!written.isEmpty(word)) {
            requireSeen(actor, access, written, word, mask);
            if (access.manner.takesRelaxed() && !written.allSeen(word, mask, actor.order(), lane)) {
                requireNoMessage(actor, access, written, read, word, mask);
            }
        }
        int chunk = word / WORDS;
        if (chunk < bulkWrites.length && bulkWrites[chunk] != null) {
            requireBulk(actor, access, bulkWrites[chunk], chunk, false);
        }
        read.add(word, access, lane, mask);
        byWord[chunk] = true;
    }

    /**
     * A thread writes some bytes.
     *
     * @param same whether they have that value already; then it does not matter which of two writes comes last
     */
    public void write(Actor actor, int at, int count, boolean same) {
        Access access = actor.access();
        for (int word = at / 4; word <= (at + count - 1) / 4; word++) {
            write(actor, access, actor.lane(), word, mask(word, at, at + count), same);
        }
    }

    /** A thread begins to write whole words, by an access that goes on while it does other things. */
    public void write(Actor actor, Access access, int at, int count) {
        for (int word = at / 4; word < (at + count) / 4; word++) {
            write(actor, access, actor.lane(), word, Cells.WORD, false);
        }
    }

    private void write(Actor actor, Access access, int lane, int word, int mask, boolean same) {
        Cells written = writes();
        Cells read = reads;
        int chunk = word / WORDS;
        boolean unread = read == null || read.isEmpty(word);
        boolean bulk = chunk < bulkWrites.length && (bulkWrites[chunk] != null || bulkReads[chunk] != null);
        if (unread && !bulk && written.isOnly(word, access, lane, mask)) {
            return;
        }
        if (!same && !written.isEmpty(word)) {
            requireSeen(actor, access, written, word, mask);
        }
        if (read != null && !unread) {
            requireSeen(actor, access, read, word, mask);
            read.clear(word, mask);
        }
        if (bulk) {
            requireBulk(actor, access, bulkWrites[chunk], chunk, false);
            requireBulk(actor, access, bulkReads[chunk], chunk, true);
        }
        if (access.manner.strong()) {
            written.replaceSeen(word, access, lane, mask, actor.order());
        } else {
            written.replace(word, access, lane, mask);
        }
        byWord[chunk] = true;
    }

    private void requireSeen(Actor actor, Access access, Cells cells, int word, int mask) {
        WarpOrder warp = actor.order();
        int lane = actor.lane();
        if (access.manner.coherent() && cells.allSeen(word, mask, warp, lane)) {
            return;
        }
        cells.visit(word, mask, (earlier, earlierLane) -> {
            boolean ordered = warp.sees(earlier, earlierLane, lane) && access.manner.coherent();
            if (!ordered && !access.morallyStrongWith(earlier)) {
                Races.report(actor, earlier, earlierLane, access, () -> names.range(4 * word, 4));
            }
        });
    }

    /**
     * Requires that a relaxed load has no sign of a relaxed write that it may still miss. It cannot miss one that a
     * read before it has observed, or that a later write before it has replaced. PTX 8.9.5, 8.10.6.
     */
    private void requireNoMessage(Actor actor, Access access, Cells written, Cells read, int word, int mask) {
        WarpOrder warp = actor.order();
        int lane = actor.lane();
        boolean[] settled = {false};
        read.visit(word, mask, (earlier, earlierLane) -> settled[0] |= warp.sees(earlier, earlierLane, lane));
        if (settled[0]) {
            return;
        }
        @Nullable Access[] missed = {null};
        int[] missedLane = {0};
        // In the order in which they came.
        written.visit(word, mask, (earlier, earlierLane) -> {
            if (warp.sees(earlier, earlierLane, lane)) {
                missed[0] = null;
            } else if (warp.hasSignOf(earlier, earlierLane, lane)) {
                missed[0] = earlier;
                missedLane[0] = earlierLane;
            }
        });
        Access message = missed[0];
        if (message != null) {
            throw Races.message(actor, message, missedLane[0], access, names.range(4 * word, 4));
        }
    }

    // ---- copies and products ------------------------------------------------------------------------------------

    private void growBulk() {
        if (bulkWrites.length == 0) {
            bulkWrites = new @Nullable Object[bytes / CHUNK];
            bulkReads = new @Nullable Object[bytes / CHUNK];
        }
    }

    /**
     * Asynchronous work that a thread issues will read a range.
     *
     * @param access of that work
     * @param needs collects what it reads of, for other threads that must know of it too
     */
    public void bulkRead(Actor actor, Access access, int at, int count, @Nullable Needs needs) {
        growBulk();
        int end = at + count;
        int firstWhole = (at + CHUNK - 1) / CHUNK;
        int endWhole = end / CHUNK;
        if (firstWhole > endWhole || CHUNK * firstWhole != at || CHUNK * endWhole != end) {
            for (int word = at / 4; word <= (end - 1) / 4; word++) {
                if (word / WORDS < firstWhole || word / WORDS >= endWhole) {
                    read(actor, access, 0, word, mask(word, at, end));
                }
            }
        }
        for (int chunk = firstWhole; chunk < endWhole; chunk++) {
            bulkReadChunk(actor, access, chunk, needs);
        }
    }

    private void bulkReadChunk(Actor actor, Access access, int chunk, @Nullable Needs needs) {
        Object written = bulkWrites[chunk];
        if (written != null && (needs == null || !needs.isLast(written))) {
            requireBulk(actor, access, written, chunk, false);
            if (needs != null && written instanceof Access earlier) {
                needs.add(earlier, 0, CHUNK * chunk);
            }
        }
        Cells words = writes;
        if (words != null && byWord[chunk]) {
            for (int word = WORDS * chunk; word < WORDS * (chunk + 1); word++) {
                requireSeen(actor, access, words, word, Cells.WORD);
                if (needs != null) {
                    int at = 4 * word;
                    words.visit(word, Cells.WORD, (earlier, lane) -> needs.add(earlier, lane, at));
                }
            }
        }
        bulkReads[chunk] = latest(bulkReads[chunk], access);
    }

    /** A read of the past: there was no write yet. */
    void recordBulkRead(Access access, int at, int count) {
        growBulk();
        for (int chunk = at / CHUNK; chunk < (at + count + CHUNK - 1) / CHUNK; chunk++) {
            bulkReads[chunk] = latest(bulkReads[chunk], access);
        }
    }

    private static Object latest(@Nullable Object cell, Access access) {
        if (cell == null || cell instanceof Access single && single.agent == access.agent) {
            return access;
        }
        AccessSet set;
        if (cell instanceof AccessSet known) {
            set = known;
        } else {
            set = new AccessSet();
            set.addLatest((Access) cell);
        }
        set.addLatest(access);
        return set;
    }

    /** Asynchronous work that a thread issues will write a range. */
    public void bulkWrite(Actor actor, Access access, int at, int count) {
        growBulk();
        int end = at + count;
        int firstWhole = (at + CHUNK - 1) / CHUNK;
        int endWhole = end / CHUNK;
        if (firstWhole > endWhole || CHUNK * firstWhole != at || CHUNK * endWhole != end) {
            for (int word = at / 4; word <= (end - 1) / 4; word++) {
                if (word / WORDS < firstWhole || word / WORDS >= endWhole) {
                    write(actor, access, 0, word, mask(word, at, end), false);
                }
            }
        }
        for (int chunk = firstWhole; chunk < endWhole; chunk++) {
            bulkWriteChunk(actor, access, chunk);
        }
    }

    private void bulkWriteChunk(Actor actor, Access access, int chunk) {
        if (bulkWrites[chunk] != null) {
            requireBulk(actor, access, bulkWrites[chunk], chunk, true);
        }
        if (bulkReads[chunk] != null) {
            requireBulk(actor, access, bulkReads[chunk], chunk, true);
            bulkReads[chunk] = null;
        }
        if (byWord.length > 0 && byWord[chunk]) {
            for (int word = WORDS * chunk; word < WORDS * (chunk + 1); word++) {
                Cells written = writes();
                requireSeen(actor, access, written, word, Cells.WORD);
                written.clear(word, Cells.WORD);
                Cells read = reads;
                if (read != null) {
                    requireSeen(actor, access, read, word, Cells.WORD);
                    read.clear(word, Cells.WORD);
                }
            }
            byWord[chunk] = false;
        }
        // Strong writes, those of reductions, may be several without an order.
        bulkWrites[chunk] = access.manner.strong() ? latest(bulkWrites[chunk], access) : access;
    }

    /**
     * Requires that asynchronous accesses to a chunk came before.
     *
     * @param done whether it is enough that they are over
     */
    private void requireBulk(Actor actor, Access access, @Nullable Object cell, int chunk, boolean done) {
        if (cell instanceof Access earlier) {
            requireBulk(actor, access, earlier, chunk, done);
        } else if (cell instanceof AccessSet set) {
            for (int i = 0; i < set.count(); i++) {
                requireBulk(actor, access, set.access(i), chunk, done);
            }
        }
    }

    private void requireBulk(Actor actor, Access access, Access earlier, int chunk, boolean done) {
        WarpOrder warp = actor.order();
        int lane = actor.lane();
        boolean ordered = done ? warp.knowsDone(earlier, lane) : warp.sees(earlier, 0, lane);
        if (!ordered && !access.morallyStrongWith(earlier)) {
            Races.report(actor, earlier, 0, access, () -> names.range(CHUNK * chunk, CHUNK));
        }
    }

    // ---- proxies ------------------------------------------------------------------------------------------------

    /**
     * A write to a byte's word without a fence.proxy.async before what acts.
     *
     * @param ofCopies whether a cp.async is such a write
     */
    public Optional<Unfenced> unfencedWrite(Actor actor, int at, boolean ofCopies) {
        Cells written = writes;
        if (written == null) {
            return Optional.empty();
        }
        WarpOrder reader = actor.order();
        List<Unfenced> found = new ArrayList<>(0);
        written.visit(at / 4, Cells.WORD, (earlier, lane) -> {
            if (earlier.warp != null
                    && (ofCopies || !earlier.ofThreadCopy())
                    && !reader.proxySees(earlier, lane, actor.lane(), false)) {
                found.add(Races.unfenced(actor, earlier, lane, false));
            }
        });
        return found.stream().findFirst();
    }

    /** Whether a cp.async wrote to a byte's word. */
    public boolean isCopiedByThread(int at) {
        boolean[] found = {false};
        Cells written = writes;
        if (written != null) {
            written.visit(at / 4, Cells.WORD, (earlier, lane) -> found[0] |= earlier.ofThreadCopy());
        }
        return found[0];
    }

    /** Requires of ordinary writes to a range that a fence.proxy.async came between them and the thread. */
    void requireGlobalProxyFence(Actor actor, int at, int count, UnfencedWrite found) {
        Cells written = writes;
        if (written == null) {
            return;
        }
        WarpOrder reader = actor.order();
        for (int word = at / 4; word <= (at + count - 1) / 4; word++) {
            int start = 4 * word;
            written.visit(word, mask(word, at, at + count), (earlier, lane) -> {
                if (earlier.warp != null && !reader.proxySees(earlier, lane, actor.lane(), true)) {
                    found.at(start, earlier, lane);
                }
            });
        }
    }

    /**
     * A reading of a range by a thread that came before what acts, with no fence.proxy.async between them; none if
     * there is no such.
     *
     * @param global whether the memory is global, not shared
     */
    public Optional<Unfenced> unfencedRead(Actor actor, int at, int count, boolean global) {
        Cells read = reads;
        if (read == null) {
            return Optional.empty();
        }
        WarpOrder writer = actor.order();
        Map<Access, Integer> fenced = new IdentityHashMap<>();
        List<Unfenced> found = new ArrayList<>(0);
        for (int word = at / 4; word <= (at + count - 1) / 4 && found.isEmpty(); word++) {
            if (byWord[word / WORDS] && !read.isEmpty(word)) {
                read.visit(word, mask(word, at, at + count), (earlier, lane) -> {
                    int known = fenced.getOrDefault(earlier, 0);
                    if ((known >>> lane & 1) != 0 || earlier.warp == null) {
                        return;
                    }
                    if (writer.sees(earlier, lane, actor.lane())
                            && !writer.proxySees(earlier, lane, actor.lane(), global)) {
                        found.add(Races.unfencedRead(earlier, lane));
                    }
                    fenced.put(earlier, known | 1 << lane);
                });
            }
        }
        return found.stream().findFirst();
    }

    /**
     * The first reading of a range that came before what acts, but without the fences between the proxies that an
     * answer of try_cancel needs to overwrite it; none if there is no such.
     */
    public Optional<Site> unfencedReader(Actor actor, int at, int count) {
        Cells read = reads;
        if (read == null) {
            return Optional.empty();
        }
        WarpOrder asking = actor.order();
        List<Site> found = new ArrayList<>(1);
        for (int word = at / 4; word <= (at + count - 1) / 4; word++) {
            read.visit(word, Cells.WORD, (earlier, lane) -> {
                if (earlier.warp != null
                        && asking.sees(earlier, lane, actor.lane())
                        && !asking.answers().mayOverwrite(earlier, lane, actor.lane())) {
                    found.add(earlier.site(lane));
                }
            });
        }
        return found.stream().findFirst();
    }

    /** Visits the last writes to a range, those of copies too. */
    void eachWrite(int at, int count, GlobalShadow.WriteVisitor visitor) {
        Cells words = writes;
        for (int word = at / 4; word <= (at + count - 1) / 4; word++) {
            if (words != null) {
                words.visit(word, mask(word, at, at + count), visitor::write);
            }
            if (word % WORDS == 0 && word / WORDS < bulkWrites.length) {
                switch (bulkWrites[word / WORDS]) {
                    case Access access -> visitor.write(access, 0);
                    case AccessSet set -> {
                        for (int i = 0; i < set.count(); i++) {
                            visitor.write(set.access(i), 0);
                        }
                    }
                    case null, default -> {}
                }
            }
        }
    }

    /** Receives a write without a proxy fence. */
    @FunctionalInterface
    interface UnfencedWrite {
        void at(int offset, Access write, int lane);
    }

    String range(int at, int count) {
        return names.range(at, count);
    }
}
