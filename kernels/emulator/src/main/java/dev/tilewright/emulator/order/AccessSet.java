package dev.tilewright.emulator.order;

import java.util.Arrays;

/** The accesses to one word that no later access replaces, each with its lanes and the bytes that it touched. */
final class AccessSet {
    /** Beyond this the oldest is forgotten: a race with it may be missed. */
    private static final int MAX_ACCESSES = 64;

    private Access[] accesses = new Access[4];
    private int[] lanes = new int[4];
    private int[] masks = new int[4];
    private int count;

    int count() {
        return count;
    }

    Access access(int index) {
        return accesses[index];
    }

    int lanes(int index) {
        return lanes[index];
    }

    int mask(int index) {
        return masks[index];
    }

    /** Adds an access of some lanes; what they did before to the same bytes, it stands for. */
    void add(Access access, int some, int mask) {
        int same = -1;
        for (int i = count - 1; i >= 0; i--) {
            if (accesses[i] == access && masks[i] == mask) {
                same = i;
            } else if (accesses[i].agent == access.agent && (masks[i] & ~mask) == 0) {
                lanes[i] &= ~some;
                if (lanes[i] == 0) {
                    remove(i);
                    same--;
                }
            }
        }
        if (same >= 0) {
            lanes[same] |= some;
            return;
        }
        if (count == MAX_ACCESSES) {
            remove(0);
        }
        if (count == accesses.length) {
            accesses = Arrays.copyOf(accesses, 2 * count);
            lanes = Arrays.copyOf(lanes, 2 * count);
            masks = Arrays.copyOf(masks, 2 * count);
        }
        accesses[count] = access;
        lanes[count] = some;
        masks[count++] = mask;
    }

    /** As {@link #add}; what the same agent without lanes did before is stood for. */
    void addLatest(Access access) {
        for (int i = 0; i < count; i++) {
            if (accesses[i].agent == access.agent) {
                accesses[i] = access;
                return;
            }
        }
        add(access, 1, ~0);
    }

    private void remove(int index) {
        int rest = --count - index;
        System.arraycopy(accesses, index + 1, accesses, index, rest);
        System.arraycopy(lanes, index + 1, lanes, index, rest);
        System.arraycopy(masks, index + 1, masks, index, rest);
    }

    /** Forgets the bytes of a mask. */
    void clear(int mask) {
        for (int i = count - 1; i >= 0; i--) {
            masks[i] &= ~mask;
            if (masks[i] == 0) {
                remove(i);
            }
        }
    }

    /** Forgets the bytes of a mask in accesses that came before what a lane does now. */
    void clearSeen(WarpOrder warp, int lane, int mask) {
        for (int i = count - 1; i >= 0; i--) {
            if ((masks[i] & mask) != 0 && allSeen(warp, lane, i)) {
                masks[i] &= ~mask;
                if (masks[i] == 0) {
                    remove(i);
                }
            }
        }
    }

    private boolean allSeen(WarpOrder warp, int lane, int index) {
        for (int rest = lanes[index]; rest != 0; rest &= rest - 1) {
            if (!warp.sees(accesses[index], Integer.numberOfTrailingZeros(rest), lane)) {
                return false;
            }
        }
        return true;
    }
}
