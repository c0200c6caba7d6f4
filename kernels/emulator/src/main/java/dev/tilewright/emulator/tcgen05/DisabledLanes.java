package dev.tilewright.emulator.tcgen05;

import java.util.List;

/**
 * Lanes of D that a multiplication leaves as they are: a bit for each lane, those of the even CTA of a pair first. PTX
 * 9.7.16.10.9.1, disable-output-lane.
 *
 * @param words of 32 lanes each; empty if all lanes are updated
 */
public record DisabledLanes(List<Integer> words) {
    public static final DisabledLanes NONE = new DisabledLanes(List.of());

    private static final int WORDS_OF_CTA = TensorMemory.LANES / Integer.SIZE;

    public DisabledLanes {
        words = List.copyOf(words);
    }

    /** Whether a lane of a CTA, by the rank of the CTA in its pair, stays as it is. */
    boolean has(int cta, int lane) {
        return !words.isEmpty()
                && (words.get(cta * WORDS_OF_CTA + lane / Integer.SIZE) >>> lane % Integer.SIZE & 1) != 0;
    }

    /** Whether all lanes of a granule stay as they are. */
    boolean hasAll(int cta, int firstLane) {
        for (int lane = firstLane; lane < firstLane + TensorMemory.GRANULE_LANES; lane++) {
            if (!has(cta, lane)) {
                return false;
            }
        }
        return true;
    }
}
