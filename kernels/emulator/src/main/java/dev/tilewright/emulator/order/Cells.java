package dev.tilewright.emulator.order;

import org.jspecify.annotations.Nullable;

/**
 * The last accesses of one kind to each word of a region: nothing, one access by one lane, or a set. A word is 4 bytes,
 * of which an access may touch some.
 */
final class Cells {
    /** All bytes of a word. */
    static final int WORD = 0xF;

    private static final int MASK_SHIFT = 5;

    private final @Nullable Object[] cells;
    /** Of single accesses: lane, and bytes. */
    private final short[] where;

    Cells(int words) {
        cells = new @Nullable Object[words];
        where = new short[words];
    }

    boolean isEmpty(int word) {
        return cells[word] == null;
    }

    /** Whether the word's only access is this one. */
    boolean isOnly(int word, Access access, int lane, int mask) {
        return cells[word] == access && where[word] == (short) (lane | mask << MASK_SHIFT);
    }

    /** Receives an access. */
    @FunctionalInterface
    interface Visitor {
        void visit(Access access, int lane);
    }

    /** Visits all accesses to some of the bytes. */
    void visit(int word, int mask, Visitor visitor) {
        Object cell = cells[word];
        if (cell instanceof Access access) {
            if ((where[word] >> MASK_SHIFT & mask) != 0) {
                visitor.visit(access, where[word] & 31);
            }
        } else if (cell instanceof AccessSet set) {
            for (int i = 0; i < set.count(); i++) {
                if ((set.mask(i) & mask) != 0) {
                    for (int rest = set.lanes(i); rest != 0; rest &= rest - 1) {
                        visitor.visit(set.access(i), Integer.numberOfTrailingZeros(rest));
                    }
                }
            }
        }
    }

    /** Whether all accesses to some of the bytes can be seen by a lane; the usual case, without a visitor. */
    boolean allSeen(int word, int mask, WarpOrder warp, int lane) {
        Object cell = cells[word];
        if (cell == null) {
            return true;
        }
        if (cell instanceof Access access) {
            return (where[word] >> MASK_SHIFT & mask) == 0 || warp.sees(access, where[word] & 31, lane);
        }
        return false;
    }

    /** Adds an access; what its thread did before to the same bytes, it stands for. */
    void add(int word, Access access, int lane, int mask) {
        Object cell = cells[word];
        if (cell instanceof AccessSet set) {
            set.add(access, 1 << lane, mask);
            return;
        }
        if (cell instanceof Access single) {
            int before = where[word] >> MASK_SHIFT & WORD;
            boolean same = single.agent == access.agent && (where[word] & 31) == lane;
            if (!same || (before & ~mask) != 0) {
                AccessSet set = new AccessSet();
                set.add(single, 1 << (where[word] & 31), before);
                set.add(access, 1 << lane, mask);
                cells[word] = set;
                return;
            }
        }
        cells[word] = access;
        where[word] = (short) (lane | mask << MASK_SHIFT);
    }

    /** Adds an access and forgets the earlier accesses that its thread sees. */
    void replaceSeen(int word, Access access, int lane, int mask, WarpOrder warp) {
        Object cell = cells[word];
        if (cell instanceof AccessSet set) {
            set.clearSeen(warp, lane, mask);
            set.add(access, 1 << lane, mask);
        } else if (cell instanceof Access single
                && (where[word] >> MASK_SHIFT & mask) != 0
                && !warp.sees(single, where[word] & 31, lane)) {
            add(word, access, lane, mask);
        } else {
            replace(word, access, lane, mask);
        }
    }

    /** Replaces all accesses to these bytes by one. */
    void replace(int word, Access access, int lane, int mask) {
        clear(word, mask);
        add(word, access, lane, mask);
    }

    void clear(int word, int mask) {
        Object cell = cells[word];
        if (cell == null) {
            return;
        }
        if (mask == WORD) {
            cells[word] = null;
        } else if (cell instanceof AccessSet set) {
            set.clear(mask);
            if (set.count() == 0) {
                cells[word] = null;
            }
        } else {
            int left = where[word] >> MASK_SHIFT & WORD & ~mask;
            if (left == 0) {
                cells[word] = null;
            } else {
                where[word] = (short) (where[word] & 31 | left << MASK_SHIFT);
            }
        }
    }
}
