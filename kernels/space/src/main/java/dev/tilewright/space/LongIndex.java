package dev.tilewright.space;

import java.util.Arrays;

/**
 * Numbers for keys, 0 for the first and then upwards. A hash table of primitives: a build asks it millions of times.
 */
final class LongIndex {

    private static final int INITIAL_SLOTS = 64;
    private static final long GOLDEN_RATIO = 0x9E37_79B9_7F4A_7C15L;

    private long[] keys = new long[INITIAL_SLOTS / 2];
    /** One more than the number of the key that stands there, 0 where none does. */
    private int[] slots = new int[INITIAL_SLOTS];

    private int size;

    int size() {
        return size;
    }

    /** The key with a number. */
    long key(int number) {
        return keys[number];
    }

    /** The number of a key, which is {@link #size()} of before if the key is new. */
    int add(long key) {
        int mask = slots.length - 1;
        int slot = slot(key, mask);
        while (slots[slot] != 0) {
            if (keys[slots[slot] - 1] == key) {
                return slots[slot] - 1;
            }
            slot = slot + 1 & mask;
        }
        if (size == keys.length) {
            grow();
            return add(key);
        }
        keys[size] = key;
        slots[slot] = ++size;
        return size - 1;
    }

    private static int slot(long key, int mask) {
        return (int) (key * GOLDEN_RATIO >>> 32) & mask;
    }

    /** Half of the slots are used at the most. */
    private void grow() {
        keys = Arrays.copyOf(keys, 2 * keys.length);
        slots = new int[2 * keys.length];
        int mask = slots.length - 1;
        for (int number = 0; number < size; number++) {
            int slot = slot(keys[number], mask);
            while (slots[slot] != 0) {
                slot = slot + 1 & mask;
            }
            slots[slot] = number + 1;
        }
    }
}
