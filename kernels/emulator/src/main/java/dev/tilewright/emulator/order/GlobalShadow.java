package dev.tilewright.emulator.order;

import dev.tilewright.emulator.hazard.Findings;
import dev.tilewright.emulator.hazard.HazardFound;
import dev.tilewright.emulator.hazard.Rule;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The last accesses to a buffer of global memory, by pages that are made when they are first needed. Bulk reads of a
 * buffer that nobody has written yet are only noted, and looked at when somebody does write.
 */
public final class GlobalShadow {
    private static final int PAGE = 4096;

    /** Receives a range of the buffer. */
    @FunctionalInterface
    public interface RangeVisitor {
        void range(int at, int bytes);
    }

    /** Ranges of a buffer that are accessed together. */
    @FunctionalInterface
    public interface Ranges {
        void each(RangeVisitor visitor);
    }

    private record Noted(Access access, Ranges ranges) {}

    private final String name;
    private final @Nullable Shadow[] pages;
    private final List<Noted> noted = new ArrayList<>();
    private boolean written;

    /** A buffer that nobody accessed. */
    public GlobalShadow(String name, int bytes) {
        this.name = name;
        pages = new @Nullable Shadow[bytes / PAGE + 1];
    }

    private Shadow page(int index) {
        Shadow known = pages[index];
        if (known == null) {
            int start = index * PAGE;
            known = new Shadow(
                    PAGE,
                    (at, count) -> "bytes " + (start + at) + ".." + (start + at + count - 1) + " of buffer " + name);
            pages[index] = known;
        }
        return known;
    }

    /** A thread reads 1 to 16 bytes, aligned to their count. */
    public void read(Actor actor, int at, int count) {
        page(at / PAGE).read(actor, actor.access(), at % PAGE, count);
    }

    /** A thread begins to read 1 to 16 bytes, by an access that goes on while it does other things. */
    public void read(Actor actor, Access access, int at, int count) {
        inPages(at, count, (page, from, bytes) -> page.read(actor, access, from, bytes));
    }

    /** A thread writes 1 to 16 bytes, aligned to their count. */
    public void write(Actor actor, int at, int count, boolean same) {
        beforeWrite();
        page(at / PAGE).write(actor, at % PAGE, count, same);
    }

    private void beforeWrite() {
        if (!written) {
            written = true;
            noted.forEach(read -> read.ranges.each((at, count) ->
                    inPages(at, count, (page, from, bytes) -> page.recordBulkRead(read.access, from, bytes))));
            noted.clear();
        }
    }

    @FunctionalInterface
    private interface PageVisitor {
        void range(Shadow page, int at, int bytes);
    }

    private void inPages(int at, int count, PageVisitor visitor) {
        int from = at;
        int end = at + count;
        while (from < end) {
            int to = Math.min(end, (from / PAGE + 1) * PAGE);
            visitor.range(page(from / PAGE), from % PAGE, to - from);
            from = to;
        }
    }

    /** Receives a write. */
    interface WriteVisitor {
        void write(Access write, int lane);
    }

    /** Visits the last writes to a range, those of copies too. */
    void eachWrite(int at, int count, WriteVisitor visitor) {
        if (written) {
            inPages(at, count, (page, from, bytes) -> page.eachWrite(from, bytes, visitor));
        }
    }

    /** Asynchronous work that a thread issues will read ranges. */
    public void bulkRead(Actor actor, Access access, Ranges ranges) {
        if (!written) {
            noted.add(new Noted(access, ranges));
            return;
        }
        ranges.each((at, count) -> inPages(at, count, (page, from, bytes) -> {
            page.bulkRead(actor, access, from, bytes, null);
            requireWritersFenced(page, actor, access, from, bytes);
        }));
    }

    private static void requireWritersFenced(Shadow page, Actor actor, Access access, int at, int count) {
        page.requireGlobalProxyFence(actor, at, count, (offset, write, lane) -> {
            throw new HazardFound(
                    Races.unfenced(actor, write, lane, true).hazard(page.range(offset, 4), named(access, actor)));
        });
    }

    private static String named(Access access, Actor actor) {
        return "the " + access.manner.what() + " of " + access.site(actor.lane());
    }

    /** Asynchronous work that a thread issues will write a range. */
    public void bulkWrite(Actor actor, Access access, int at, int count) {
        beforeWrite();
        inPages(at, count, (page, from, bytes) -> {
            requireWritersFenced(page, actor, access, from, bytes);
            requireReadersFenced(page, actor, access, from, bytes);
            page.bulkWrite(actor, access, from, bytes);
        });
    }

    private static void requireReadersFenced(Shadow page, Actor actor, Access access, int at, int count) {
        Findings findings = actor.order().findings();
        int statement = access.evidence.statement();
        if (!findings.has(Rule.REUSE_UNFENCED, statement)) {
            page.unfencedRead(actor, at, count, true)
                    .ifPresent(read -> findings.report(
                            Rule.REUSE_UNFENCED,
                            statement,
                            () -> new HazardFound(
                                    read.hazard(page.range(at, count), named(access, actor)),
                                    access.site(actor.lane()))));
        }
    }
}
